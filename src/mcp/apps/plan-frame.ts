import type { Caller } from '../../contract/declarations/caller.ts'

/** A tool call whose result a client shows in an HTML frame. */
export interface ShownCall {
  planId: string | null
  answer: string
  failed: boolean
}

export interface PlanFrame {
  /** A complete HTML document, the same for all calls and callers. */
  readonly page: string
  /** Renders the part of the page that depends on the call; null if rendering fails. Never rejects. */
  show(caller: Caller, call: ShownCall): Promise<string | null>
}
