import { ApiError } from '../contract/declarations/errors.ts'
import type { OperationRequest } from './request.ts'

/**
 * Refuses external effects in a transaction that might be rolled back, because they cannot be undone: in a dry run, after a program has
 * written, and in a batch, which may be rolled back and retried long after it ran.
 */
export function requireMayReachOutside({
  scope,
  proposed,
  batch,
}: Pick<OperationRequest, 'scope' | 'proposed' | 'batch'>): void {
  if (batch) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, and a batch can be undone and repeated. Call it in a program without `# background: true`.',
    )
  }
  if (proposed) {
    throw new ApiError(
      'invalid_state',
      'This operation has external effects, which a dry run cannot undo. Call it in an earlier program and use its result in this one.',
    )
  }
  if (scope?.holdsWrites) {
    throw new ApiError(
      'invalid_state',
      "This operation has external effects and cannot be undone. Call it before the program's first write, or use `# atomic: false`.",
    )
  }
}
