import type { ApiError } from '../../../contract/declarations/errors.ts'
import type { Visit } from './visit.ts'

/** The names in a page's path: `id` of `/products/:id`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never

/** What the names in a page's path stand for. */
export type At<Path extends string = string> = Record<string extends Path ? string : NamesIn<Path>, string>

/** A page of an account, at a path below it such as `/products/:id`. */
export interface DashboardPage<Path extends string = string> {
  path: Path
  get?(visit: Visit, at: At<Path>): Promise<Response>
  /** A form that was sent from it, or to it; the form is our own. */
  post?(visit: Visit, at: At<Path>, form: URLSearchParams): Promise<Response>
  /** In place of `post`, for a form that brings files; `refuse` shows why it was not taken. */
  files?: {
    take(visit: Visit, at: At<Path>, files: File[]): Promise<Response>
    refuse(visit: Visit, at: At<Path>, refusal: ApiError): Promise<Response>
  }
  /** Bytes that its form may have, where that is more than usual. */
  formBytes?: number
}

/** Declares a page whose path has names in it, so that the page knows them. */
export function pageAt<const Path extends string>(page: DashboardPage<Path>): DashboardPage {
  return page as DashboardPage
}
