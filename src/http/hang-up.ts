import type { FastifyRequest } from 'fastify';

/**
 * Calls `leave` when the client of an answer that waits closes the connection or its half: nothing tells a program that
 * has ended from one that only reads on. Returns how to stop listening. `leave` may be called twice.
 */
export function onHangUp({ raw: { socket } }: FastifyRequest, leave: () => void): () => void {
  if (socket.readableEnded || socket.destroyed) leave();
  socket.once('end', leave).once('close', leave);
  return () => void socket.off('end', leave).off('close', leave);
}
