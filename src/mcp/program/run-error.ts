import { storageRefused } from '../../contract/declarations/errors.ts'
import {
  AccessLostError,
  StorageError,
  type TransactionLostError,
  WriterHeldTooLongError,
} from '../../database/database.ts'
import type { ProgramError } from '../../sandbox/api.ts'

/** The error of a program run. Some types can be detected only outside of the sandbox. */
export type RunError = Omit<ProgramError, 'type'> & {
  type:
    | ProgramError['type']
    | 'conflict'
    | 'writer_held_too_long'
    | 'storage_full'
    | 'storage_unavailable'
    | 'commit_failed'
    | 'refusal_overlooked'
    | 'permission_denied'
    | 'plan_unavailable'
    | 'plan_outdated'
    | 'once_key_reused'
    | 'once_key_in_use'
    | 'approval_needed'
    | 'background_unavailable'
}

type SourceLine = Pick<ProgramError, 'line' | 'source'>

const NOWHERE: SourceLine = { line: null, source: null }

/** Returns the error of a lost transaction. `place` is the line that the program had reached. */
export function lostError(loss: TransactionLostError, place: SourceLine = NOWHERE): RunError {
  if (loss instanceof WriterHeldTooLongError) return heldTooLongError(place)
  if (loss instanceof AccessLostError) return permissionError(loss.message)
  return loss instanceof StorageError ? storageError(loss.problem) : conflictError()
}

function storageError(problem: StorageError['problem']): RunError {
  const { message } = storageRefused(problem)
  const hint = problem === 'full' ? 'Run the program again once space is free.' : 'Run the program again later.'
  return { ...NOWHERE, type: problem === 'full' ? 'storage_full' : 'storage_unavailable', message, hint }
}

function conflictError(): RunError {
  return {
    ...NOWHERE,
    type: 'conflict',
    message: 'Other requests changed the same records on every attempt to run the program; nothing was saved.',
    hint: 'Run the program again in a moment. Programs with fewer writes conflict less often.',
  }
}

function heldTooLongError({ line, source }: SourceLine): RunError {
  return {
    line,
    source,
    type: 'writer_held_too_long',
    message: 'The program blocked other writes for more than 1 second, so it was stopped; nothing was saved.',
    hint: 'A program blocks other writes from its first write on: compute first and write last, or commit each call separately with `# atomic: false`.',
  }
}

export function commitFailedError(): RunError {
  return {
    ...NOWHERE,
    type: 'commit_failed',
    message:
      'The program finished, but the database did not confirm the commit. Its changes may or may not have been saved.',
    hint: 'Read one of the changed records to find out.',
  }
}

export function canceledError(): RunError {
  return {
    ...NOWHERE,
    type: 'canceled',
    message: 'The connection was closed, or the run was canceled, before the program was committed.',
    hint: null,
  }
}

export function sandboxFailedError(): ProgramError {
  return { ...NOWHERE, type: 'host_error', message: 'An unexpected error on our side.', hint: null }
}

export function noBatchError(): ProgramError {
  return {
    ...NOWHERE,
    type: 'invalid_program',
    message: 'A program with `# background: true` must be one each_batch; nothing was saved.',
    hint: 'For example each_batch(list("/customers"), of: 500) { |rows| rows.each { |row| … } }',
  }
}

export function otherOperationsError(operations: string[]): RunError {
  return {
    ...NOWHERE,
    type: 'approval_needed',
    message: `This batch also calls ${operations.join(', ')}, which the approved first batch did not, so nothing of it was saved.`,
    hint: null,
  }
}

export interface OverlookedWrite extends SourceLine {
  method: string
  path: string
  message: string
}

export function overlookedError({ method, path, message, line, source }: OverlookedWrite): RunError {
  return {
    line,
    source,
    type: 'refusal_overlooked',
    message: `${method} ${path} was refused (${message}), and the program ignored the refusal, so nothing was saved.`,
    hint: 'Correct the call. If a refusal is expected, read the answer\'s ["error"] or print it.',
  }
}

export function permissionError(message: string): RunError {
  return { ...NOWHERE, type: 'permission_denied', message, hint: null }
}

export function planUnavailableError(
  message: string,
  hint: string | null = 'A dry run of the program (# dry_run: true) makes a new plan.',
): RunError {
  return { ...NOWHERE, type: 'plan_unavailable', message, hint }
}

/** `failure` is the program's error message, if the program failed this time. */
export function planOutdatedError(failure?: string): RunError {
  const message =
    failure === undefined
      ? 'The program would now make other changes than planned, so nothing was saved. See `differences`.'
      : `The program did not fail when it was planned, but fails now: ${failure}`
  return { ...NOWHERE, type: 'plan_outdated', message, hint: 'A new dry run shows what it would do now.' }
}

export function onceKeyReusedError(key: string): RunError {
  return {
    ...NOWHERE,
    type: 'once_key_reused',
    message: `The key ${key} of \`# once:\` was used in the last 24 hours by another program; nothing was run.`,
    hint: 'The same program with this key returns its stored result; another program needs another key.',
  }
}

/** Returns the error for a program that has already run, if its stored response requires more rights than the caller has. */
export function onceWithheldError(key: string): RunError {
  return {
    ...NOWHERE,
    type: 'permission_denied',
    message: `A program with the key ${key} of \`# once:\` was committed in the last 24 hours with rights that you do not have now, so its stored result is not shown, and nothing was run.`,
    hint: 'Run it as the person, and with the role or the token, that it was run with. To do it a second time, use another key.',
  }
}

export function backgroundError(message: string): RunError {
  return { ...NOWHERE, type: 'background_unavailable', message, hint: null }
}

export function onceKeyInUseError(key: string): RunError {
  return {
    ...NOWHERE,
    type: 'once_key_in_use',
    message: `Another program with the key ${key} of \`# once:\` is still running; this one was not run.`,
    hint: 'Run it again in a few seconds: it then returns the stored result, or runs if the other one failed.',
  }
}
