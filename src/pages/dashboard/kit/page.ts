import type { ApiError } from '../../../contract/declarations/errors.ts'
import type { Visit } from './visit.ts'

/** What the names in a page's path stand for. */
export type At = Record<string, string>

/** A page of an account, at a path below it such as `/products/:id`. */
export interface DashboardPage {
  path: string
  get?(visit: Visit, at: At): Promise<Response>
  /** A form that was sent from it, or to it; the form is our own. */
  post?(visit: Visit, at: At, form: URLSearchParams): Promise<Response>
  /** In place of `post`, for a form that brings files; `refuse` shows why it was not taken. */
  files?: {
    take(visit: Visit, at: At, files: File[]): Promise<Response>
    refuse(visit: Visit, at: At, refusal: ApiError): Promise<Response>
  }
  /** Bytes that its form may have, where that is more than usual. */
  formBytes?: number
}
