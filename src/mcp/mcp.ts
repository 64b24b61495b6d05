import { errorDocsUrl } from '../contract/declarations/errors.ts'
import type { Programs } from '../records/programs.ts'
import { continueBackground } from './background/continue.ts'
import { allowsOrigin, knownAddresses } from './endpoint/addresses.ts'
import type { ToolRunner } from './endpoint/server.ts'
import { answerHttp, type EndpointParts, type McpRequest } from './endpoint.ts'
import { type ProgramRun, RunLog } from './run-log.ts'
import { type ToolParts, Tools } from './tools.ts'

export interface McpParts extends Omit<EndpointParts, 'docsUrl'>, Omit<ToolParts, 'docsUrl' | 'addresses'> {
  /** Stores records of runs for the dashboard, outside of any transaction and after the callers have their responses. */
  recordRuns(runs: ProgramRun[]): Promise<void>
  /** Host names, with or without a port, that are accepted in addition to the host of the public address. */
  allowedHosts: string[]
  allowedOrigins: string[]
}

export interface Mcp extends ToolRunner {
  /** Handles a request to the endpoint. Aborting the request kills its program and rolls back the transaction. */
  fetch(incoming: McpRequest): Promise<Response>
  continueBackground: Programs['continueBackground']
  allowsOrigin(origin: string): boolean
  /** Resolves when the records of all runs are written. */
  close(): Promise<void>
}

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
