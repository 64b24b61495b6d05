import { type Caller, callerId } from '../contract/declarations/caller.ts'
import { blankRecord, type RequestRecord } from '../monitoring/records.ts'
import type { Environment } from './read-only.ts'

type Answering = (request: Request, environment: Environment['Bindings']) => Response | Promise<Response>

/** Hears of each answered request; the time is that until its answer begins. */
export type OnAnswered = (record: RequestRecord, status: number, durationMs: number) => void

/** Gives every request a record that handlers fill in, and hands it over with the answer. */
export function recorded(answer: Answering, onAnswered: OnAnswered): Answering {
  return (request, bindings) => {
    const began = performance.now()
    const record = blankRecord(request.method)
    const note = (response: Response) => {
      onAnswered(record, response.status, performance.now() - began)
      return response
    }
    const response = answer(request, { ...bindings, record })
    return response instanceof Promise ? response.then(note) : note(response)
  }
}

/** Notes for whom a request is answered; requests from memory may have no record. */
export function noteCaller(record: RequestRecord | undefined, caller: Caller): void {
  if (!record) return
  record.accountId = caller.accountId
  record.callerId = callerId(caller)
}
