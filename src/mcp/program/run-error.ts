import { type TransactionLostError, WriterHeldTooLongError } from '../../database/database.ts'
import type { ProgramError } from '../../sandbox/door.ts'

/** What the host says of a run beyond the sandbox: the errors that only the host can know of. */
export type RunError = Omit<ProgramError, 'type'> & {
  type: ProgramError['type'] | 'conflict' | 'writer_held_too_long' | 'commit_failed'
}

type Place = Pick<ProgramError, 'line' | 'source'>

const NOWHERE: Place = { line: null, source: null }

/** Why nothing was kept; `place` is where the program was when it was ended. */
export function lostError(loss: TransactionLostError, place: Place = NOWHERE): RunError {
  return loss instanceof WriterHeldTooLongError ? heldTooLongError(place) : conflictError()
}

function conflictError(): RunError {
  return {
    ...NOWHERE,
    type: 'conflict',
    message: 'Other requests changed the same records while the program ran, each time it was tried; nothing was kept.',
    hint: 'The same program usually succeeds a moment later; fewer writes in one program meet fewer others.',
  }
}

function heldTooLongError({ line, source }: Place): RunError {
  return {
    line,
    source,
    type: 'writer_held_too_long',
    message:
      'The program held the writer for more than 1 s while others waited for it, so it was ended; nothing was kept.',
    hint: 'A program holds the writer from its first write on: compute first and write last, or let each call commit by itself with `# atomic: false`.',
  }
}

export function commitFailedError(): RunError {
  return {
    ...NOWHERE,
    type: 'commit_failed',
    message:
      'The program ended well, but the database did not confirm the commit, so it is not known whether it was kept.',
    hint: 'Reading one of the changed records shows which it is.',
  }
}

export function canceledError(): RunError {
  return {
    ...NOWHERE,
    type: 'canceled',
    message: 'The connection was closed before the program was committed.',
    hint: null,
  }
}

export function sandboxFailedError(): ProgramError {
  return { ...NOWHERE, type: 'host_error', message: 'An unexpected error on our side.', hint: null }
}
