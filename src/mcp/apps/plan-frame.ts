import type { Caller } from '../../contract/declarations/caller.ts'

/** A tool call whose result a client shows in an HTML frame. */
export interface ShownCall {
  /** The plan that the call made, applied or names. */
  planId: string | null
  /** The body of the tool's response, as JSON. */
  answer: string
  failed: boolean
}

/** The HTML page that clients show in a frame. */
export interface PlanFrame {
  /** A complete HTML document, the same for all calls and callers. */
  readonly page: string
  /** Renders the part of the page that depends on the call; null if rendering fails. Never rejects. */
  show(caller: Caller, call: ShownCall): Promise<string | null>
}
