import { counted } from '../../format/counts.ts'
import type { CallRecord } from '../program/journal.ts'
import type { RunError } from '../program/run-error.ts'

/** Returns the sandbox's hint for an error, or else a hint derived from the run's calls, which only the host knows. */
export function hintFor(error: RunError, calls: CallRecord[], callCount: number): string | null {
  if (error.hint !== null) return error.hint
  const refused = calls.findLast((call) => call.status !== null && call.status >= 400)
  switch (error.type) {
    case 'ruby_error':
      return refused === undefined ? null : refusedCall(refused, error.message)
    case 'deadline_exceeded':
      return callCount === 0 ? 'No call was made; the program itself took the time.' : callsMade(callCount)
    case 'call_limit':
      return callsMade(callCount)
    case 'memory_limit':
      return 'Keeping only the needed fields of each item (map) takes far less memory than keeping whole lists.'
    case 'busy':
      return 'Nothing was run; the same program can be sent again in a moment.'
    default:
      return null
  }
}

function callsMade(count: number): string {
  return `The program made ${counted(count, 'call')} in that time. Do the rest in another program, or do many rows with each_batch and # background: true.`
}

function refusedCall(call: CallRecord, message: string): string {
  const reason = call.error === undefined || message.includes(call.error) ? '' : ` (${call.error})`
  return `${call.method} ${call.path} was refused with ${call.status}${reason}; its answer has the key "error".`
}
