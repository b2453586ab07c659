import { scaleLinear } from '@visx/scale';
import { ChartFrame } from './frame.js';

export interface StripPart {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly ink: string;
}

interface StripProps {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly StripPart[];
  /** What each part leads to. */
  readonly link: string;
}

const HEIGHT = 14;
const MIN_WIDTH = 2;

/** States one after another; before the first one nothing is known. */
export function Strip({ from, to, parts, link }: StripProps) {
  return (
    <ChartFrame height={HEIGHT}>
      {(width) => {
        const x = scaleLinear({ domain: [from, to], range: [0, width], clamp: true });
        return (
          <>
            <rect className="mark ink-absent" width={width} height={HEIGHT} rx={2} />
            {parts.map((part) => (
              <a key={part.from} href={`#${link}`} tabIndex={-1}>
                <title>{part.label}</title>
                <rect
                  className={`mark ${part.ink}`}
                  x={x(part.from)}
                  width={Math.max(MIN_WIDTH, x(part.to) - x(part.from))}
                  height={HEIGHT}
                />
              </a>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}
