import type { Caller } from '../records/context.ts'
import type { Tool } from '../sandbox/door.ts'
import { executeAnswer, problemAnswer, searchAnswer, type ToolAnswer } from './answer.ts'
import { knownAddresses } from './endpoint/addresses.ts'
import type { ToolRunner } from './endpoint/server.ts'
import { answerHttp, type EndpointParts } from './endpoint.ts'
import { ParameterNames } from './program/parameter-names.ts'
import { type RunParts, runProgram } from './program/run.ts'
import { readProgram } from './program/text.ts'
import { type ProgramRun, RunLog, whose } from './run-log.ts'

export interface McpParts extends EndpointParts, Omit<RunParts, 'names'> {
  tools: Tool[]
  /** Keeps a run for the dashboard. Called outside every transaction, after the caller was answered. */
  recordRun(run: ProgramRun): Promise<void>
  /** Host names (with or without port) that requests may be addressed to, beside the public address. */
  allowedHosts: string[]
  /** Origins of pages that may call the endpoint. */
  allowedOrigins: string[]
}

export interface Mcp extends ToolRunner {
  /** Answers one HTTP request to `/mcp`. An abort of the request's signal kills its program and undoes it. */
  fetch(request: Request, clientAddress: string): Promise<Response>
  /** Waits until every run is recorded. */
  close(): Promise<void>
}

/** The agent-tool endpoint and its two tools. */
export function createMcp(parts: McpParts): Mcp {
  const addresses = knownAddresses(parts.publicUrl, parts.allowedHosts, parts.allowedOrigins)
  const runParts = { ...parts, names: new ParameterNames(parts.tools) }
  const log = new RunLog(parts.recordRun, (error) => parts.log.error({ err: error }, 'A run could not be recorded'))
  const runner: ToolRunner = {
    search: (caller, code, options) => search(runParts, log, caller, code, options),
    execute: (caller, code, options) => execute(runParts, log, caller, code, options),
  }
  return {
    ...runner,
    fetch: (request, clientAddress) => answerHttp(parts, addresses, runner, request, clientAddress),
    close: () => log.settled(),
  }
}

/** Runs a program over the catalogue. Every failure is an answer. */
async function search(
  parts: RunParts,
  log: RunLog,
  caller: Caller,
  code: unknown,
  options: { signal?: AbortSignal },
): Promise<ToolAnswer> {
  const program = readProgram(code)
  if (!('code' in program)) return problemAnswer(program)
  const startedAt = new Date().toISOString()
  const outcome = await parts.sandbox.run({
    kind: 'search',
    code: program.code,
    queueKey: caller.accountId,
    ...options,
  })
  log.record({
    ...whose(caller),
    kind: 'search',
    code: program.code,
    calls: [],
    callCount: 0,
    outcome: outcome.ok ? 'succeeded' : outcome.error.type,
    errorMessage: outcome.ok ? null : outcome.error.message,
    committed: 'none',
    dryRun: false,
    runs: 1,
    startedAt,
    durationMs: outcome.durationMs,
  })
  return searchAnswer(outcome)
}

/** Runs a program against the live API. Every failure is an answer. */
async function execute(
  parts: RunParts,
  log: RunLog,
  caller: Caller,
  code: unknown,
  options: Parameters<ToolRunner['execute']>[2],
): Promise<ToolAnswer> {
  const program = readProgram(code)
  if (!('code' in program)) return problemAnswer(program)
  const startedAt = new Date().toISOString()
  const run = await runProgram(parts, { caller, program, ...options })
  log.record({
    ...whose(caller),
    kind: 'execute',
    code: program.code,
    calls: run.calls.journal.calls,
    callCount: run.calls.journal.count,
    outcome: run.error?.type ?? 'succeeded',
    errorMessage: run.error?.message ?? null,
    committed: run.committed,
    dryRun: program.dryRun,
    runs: run.runs,
    startedAt,
    durationMs: run.outcome.durationMs,
  })
  return executeAnswer(run, program)
}
