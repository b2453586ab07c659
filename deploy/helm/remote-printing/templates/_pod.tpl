{{- define "remote-printing.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The pod of a role: `all` (embedded), `api` or `worker`. */}}
{{- define "remote-printing.pod" -}}
metadata:
  labels:
    {{- include "remote-printing.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  automountServiceAccountToken: false
  # SIGTERM ends requests in progress within ten seconds.
  terminationGracePeriodSeconds: 15
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: service
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      env:
        - { name: ROLE, value: {{ .role | quote }} }
        - { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
        - { name: TRUSTED_PROXIES, value: {{ .root.Values.trustedProxies | quote }} }
        {{- range $name, $value := .root.Values.env }}
        - { name: {{ $name | quote }}, value: {{ $value | quote }} }
        {{- end }}
      {{- if .root.Values.existingSecret }}
      envFrom:
        - secretRef: { name: {{ .root.Values.existingSecret | quote }} }
      {{- end }}
      ports:
        - { name: http, containerPort: 3000 }
      # A first start or a restored folder may build views before it answers.
      startupProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 5
        failureThreshold: 120
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 3
      resources: {{ .root.Values.resources | toJson }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - { name: tmp, emptyDir: {} }
    {{- if eq .role "all" }}
    - { name: data, persistentVolumeClaim: { claimName: "{{ .root.Release.Name }}-data" } }
    {{- else }}
    # All lasting data is in the stores.
    - { name: data, emptyDir: {} }
    {{- end }}
{{- end }}
