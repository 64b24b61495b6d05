import { errorDocsUrl } from '../contract/declarations/errors.ts'
import type { Programs } from '../records/programs.ts'
import { continueBackground } from './background/continue.ts'
import { allowsOrigin, knownAddresses } from './endpoint/addresses.ts'
import type { ToolRunner } from './endpoint/server.ts'
import { answerHttp, type EndpointParts, type McpRequest } from './endpoint.ts'
import { type ProgramRun, RunLog } from './run-log.ts'
import { type ToolParts, Tools } from './tools.ts'

export interface McpParts extends Omit<EndpointParts, 'docsUrl'>, Omit<ToolParts, 'docsUrl' | 'addresses'> {
  /** Stores records of runs for the dashboard. It is called outside of any transaction, after the callers have their responses. */
  recordRuns(runs: ProgramRun[]): Promise<void>
  /** Host names, with or without a port, that requests may be addressed to in addition to the public address. */
  allowedHosts: string[]
  /** The origins of web pages that may call the endpoint. */
  allowedOrigins: string[]
}

export interface Mcp extends ToolRunner {
  /**
   * Handles an HTTP request to the endpoint. Aborting the request's signal kills its program and rolls back the transaction. `requestId` is
   * logged with errors, and `record` is the request's log record.
   */
  fetch(incoming: McpRequest): Promise<Response>
  /** Runs the next batch of a background program. See `Programs`. */
  continueBackground: Programs['continueBackground']
  /** Returns whether a web page of this origin may call the endpoint and read its responses. */
  allowsOrigin(origin: string): boolean
  /** Waits until the records of all runs are written. */
  close(): Promise<void>
}

/** Creates the MCP endpoint with the tools `code_search` and `code_execute`. */
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
