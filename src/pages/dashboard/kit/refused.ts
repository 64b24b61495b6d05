import type { OperationAnswer } from '../../../pipeline/request.ts'
import { type Refusal, refusalOf } from './ask.ts'

/** What was sent and not taken. */
export interface Refused {
  sent: URLSearchParams
  refusal: Refusal
  status: number
}

/** A form that an operation refused, to be shown again; null where it was taken. */
export function refusedForm(sent: URLSearchParams, answer: OperationAnswer): Refused | null {
  const refusal = refusalOf(answer)
  return refusal && { sent, refusal, status: answer.status }
}
