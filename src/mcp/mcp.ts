import { errorDocsUrl } from '../contract/declarations/errors.ts'
import type { Programs } from '../records/programs.ts'
import { continueBackground } from './background/continue.ts'
import { allowsOrigin, knownAddresses } from './endpoint/addresses.ts'
import type { ToolRunner } from './endpoint/server.ts'
import { answerHttp, type EndpointParts, type Incoming } from './endpoint.ts'
import { type ProgramRun, RunLog } from './run-log.ts'
import { type ToolParts, Tools } from './tools.ts'

export interface McpParts extends Omit<EndpointParts, 'docsUrl'>, Omit<ToolParts, 'docsUrl' | 'addresses'> {
  /** Keeps runs for the dashboard. Called outside every transaction, while the callers are already answered. */
  recordRuns(runs: ProgramRun[]): Promise<void>
  /** Host names (with or without port) that requests may be addressed to, beside the public address. */
  allowedHosts: string[]
  /** Origins of pages that may call the endpoint. */
  allowedOrigins: string[]
}

export interface Mcp extends ToolRunner {
  /**
   * Answers one HTTP request to the endpoint. An abort of the request's signal kills its program and undoes it. `requestId`
   * is what errors in the log name, and `record` what is noted of the request.
   */
  fetch(incoming: Incoming): Promise<Response>
  /** Does the next batch of a background program; see `Programs`. */
  continueBackground: Programs['continueBackground']
  /** Whether a page of this origin may call the endpoint and read its answers. */
  allowsOrigin(origin: string): boolean
  /** Waits until every run is recorded. */
  close(): Promise<void>
}

/** The agent-tool endpoint and its two tools. */
export function createMcp(given: McpParts): Mcp {
  const addresses = knownAddresses(given.publicUrl, given.allowedHosts, given.allowedOrigins)
  const docsUrl = errorDocsUrl(given.publicUrl)
  const parts = { ...given, addresses, docsUrl }
  const runs = new RunLog(given.recordRuns, (error) => given.log.error({ err: error }, 'A run could not be recorded'))
  const tools = new Tools(parts, runs)
  return {
    search: (caller, code, options) => tools.search(caller, code, options),
    execute: (caller, code, options) => tools.execute(caller, code, options),
    findHandle: (caller, id) => tools.findHandle(caller, id),
    cancelHandle: (caller, id) => tools.cancelHandle(caller, id),
    continueBackground: (job, signal) => continueBackground(parts, runs, job, signal),
    planAgain: (caller, planId) => tools.planAgain(caller, planId),
    fetch: (incoming) => answerHttp(parts, addresses, tools, incoming),
    allowsOrigin: (origin) => allowsOrigin(addresses, origin),
    close: () => runs.settled(),
  }
}
