import { type Caller, callerId } from '../contract/declarations/caller.ts'
import { blankRecord, type RequestRecord } from '../monitoring/records.ts'
import type { Environment } from './read-only.ts'

type RequestHandler = (request: Request, environment: Environment['Bindings']) => Response | Promise<Response>

/** The callback for a request whose response starts. The duration is measured until then. */
export type OnAnswered = (record: RequestRecord, status: number, durationMs: number) => void

/** Creates a record that handlers fill in, and reports it when the response starts. */
export function recorded(answer: RequestHandler, onAnswered: OnAnswered): RequestHandler {
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

/** Adds the caller to the record. Requests that are made in memory may have no record. */
export function noteCaller(record: RequestRecord | undefined, caller: Caller): void {
  if (!record) return
  record.accountId = caller.accountId
  record.callerId = callerId(caller)
}
