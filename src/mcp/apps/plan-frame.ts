import type { Caller } from '../../contract/declarations/caller.ts'

/** A tool call whose result a client shows in an HTML frame. */
export interface ShownCall {
  /** The plan that the call made, applied or refers to. */
  planId: string | null
  /** The body of the tool's response, as JSON. */
  answer: string
  failed: boolean
}

/** The HTML page that clients show in a frame, and the page's view of each call. */
export interface PlanFrame {
  /** A complete HTML document, which is the same for every call and every caller. */
  readonly page: string
  /** Renders the HTML that the page shows for a call; null if that fails. Never rejects. */
  show(caller: Caller, call: ShownCall): Promise<string | null>
}
