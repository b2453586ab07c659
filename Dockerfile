FROM node:24-bookworm-slim AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ wixl msitools \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json LICENSE ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY bin bin
COPY src src
COPY projections projections
COPY agent agent
COPY bench bench
COPY demo demo
COPY mcp mcp
COPY panel panel
COPY sdk sdk
COPY docs docs
COPY test/stand-ins test/stand-ins
COPY test/kit/cupsd.ts test/kit/polling.ts test/kit/
COPY test/kit/windows test/kit/windows
COPY test/recordings test/recordings
# What only tests, benchmarks and Agents on Windows need is built or installed with the rest, and stays behind.
RUN npm run build && npm run sbom && npm run agent:package -- msi deb \
  && npm prune --omit=dev && rm -rf node_modules/.cache dist/test dist/bench node_modules/koffi

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.cdx.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/bin bin
COPY --from=build /app/docs docs
COPY verifier verifier
COPY --from=build /app/dist-agent/rps-agent.msi /app/dist-agent/rps-agent.deb dist-agent/
RUN install -d -o node -g node -m 0700 /data && ln -s /app/bin/rps.mjs /usr/local/bin/rps
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD \
  ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: signals reach the service itself.
CMD ["node", "dist/src/main.js"]
