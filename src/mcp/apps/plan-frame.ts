import type { Caller } from '../../contract/declarations/caller.ts'

/** A tool call that a client shows in a frame. */
export interface ShownCall {
  /** The plan that it made, applied or asked for. */
  planId: string | null
  /** What it answered, as JSON. */
  answer: string
  failed: boolean
}

/** The page that clients show in a frame, and what it shows of each call. */
export interface PlanFrame {
  /** A whole HTML document, the same for every call and every caller. */
  readonly page: string
  /** What the page shows of a call, as HTML; null where it cannot be made. Never rejects. */
  show(caller: Caller, call: ShownCall): Promise<string | null>
}
