import { Tooltip } from '@base-ui/react/tooltip';

interface CellTooltipProps {
  readonly cell: Element;
  readonly text: string;
  readonly onClose: () => void;
}

/** A tooltip below a cell. */
export function CellTooltip({ cell, text, onClose }: CellTooltipProps) {
  return (
    <Tooltip.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={cell} side="bottom" align="start" className="floating">
          <Tooltip.Popup className="tooltip">
            <bdi>{text}</bdi>
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
