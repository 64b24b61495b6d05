import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '../../contract/declarations/caller.ts'
import type { RunBudget } from '../../pipeline/program-budget.ts'
import type { PlanDecider } from '../../pipeline/program-plans.ts'
import { VERSION } from '../../version.ts'
import type { ToolAnswer } from '../answer.ts'
import { APPS } from '../apps/extension.ts'
import { answerResources, withPage, withView } from '../apps/page.ts'
import type { PlanFrame } from '../apps/plan-frame.ts'
import { planNamedIn, shownCall } from '../apps/shown-call.ts'
import type { Handles } from '../handles/handle.ts'
import type { CallListener } from '../program/calls.ts'
import type { Confirm } from '../program/run.ts'
import { answerTasks, handleResult, TASKS } from './tasks.ts'
import { INSTRUCTIONS, TOOL_LIST } from './tool-list.ts'
import { toResult } from './tool-result.ts'

export interface SearchOptions {
  /** Aborting kills the program. */
  signal?: AbortSignal
  /** The transport's request id, for errors in the log. */
  requestId?: string
  /** Returns a long result unshortened, for a client that stores it in a file. */
  whole?: boolean
}

export interface ExecuteOptions extends SearchOptions {
  /** Called after each API call. */
  onCall?: CallListener
  /** Only plans, like `# dry_run: true` in the program. */
  dryRun?: boolean
  /** The client can wait for a person's decision and gets a handle. */
  waits?: boolean
  /** The budget of its calls; a new one if absent. */
  budget?: RunBudget
  /** The person who applies a plan in the dashboard. */
  decider?: PlanDecider
  /** Decides in its own transaction whether the program's changes or plan may be stored. */
  confirm?: Confirm
}

/** The two tools as they run for a caller. */
export interface ToolRunner extends Handles {
  search(caller: Caller, code: unknown, options?: SearchOptions): Promise<ToolAnswer>
  execute(caller: Caller, code: unknown, options?: ExecuteOptions): Promise<ToolAnswer>
  /** Plans the program of a plan again, for a person. */
  planAgain(caller: Caller, planId: string): Promise<ToolAnswer>
}

/** One exchange with a client. */
export interface Exchange {
  caller: Caller
  requestId: string
  signal: AbortSignal
  mayStream: boolean
  /** The extensions that the client declares with each request; null if the protocol revision has none. */
  extensions: ReadonlyMap<string, object> | null
  /** Null if the client shows no pages. */
  frame: PlanFrame | null
  /** Returns the budget for one program of this exchange. */
  programBudget(): RunBudget
}

/** The key in a tool call's `_meta`: `true` requests a long result unshortened. */
export const WHOLE_RESULT = 'shopwright/whole-result'

const SERVER_INFO = { name: 'shopwright', title: 'Shopwright', version: VERSION }

/** Creates the protocol server for one exchange. It has no state, so any replica can handle the next exchange. */
export function mcpServer(runner: ToolRunner, exchange: Exchange): Server {
  const { caller, requestId, signal, extensions, frame } = exchange
  const server = new Server(SERVER_INFO, { capabilities: capabilitiesOf(exchange), instructions: INSTRUCTIONS })
  const waits = extensions?.has(TASKS) ?? false
  const shown = async (answer: ToolAnswer, named: () => string | null) => {
    const result = toResult(answer)
    return frame ? withView(result, await frame.show(caller, shownCall(answer, named()))) : result
  }
  if (extensions)
    answerTasks(server, runner, { caller, isDeclared: waits, shown: (answer, id) => shown(answer, () => id) })
  if (frame) answerResources(server, frame)
  server.setRequestHandler('tools/list', () => ({ tools: frame ? withPage(TOOL_LIST) : TOOL_LIST }))
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    const { name, arguments: given, _meta } = request.params
    const whole = _meta?.[WHOLE_RESULT] === true
    if (name === 'code_search') return toResult(await runner.search(caller, given?.code, { signal, requestId, whole }))
    if (name === 'code_execute') {
      const onCall = progressListener(exchange, context)
      const options = { signal, requestId, whole, budget: exchange.programBudget(), ...(onCall && { onCall }) }
      const answer = await runner.execute(caller, given?.code, { ...options, waits })
      return (await handleResult(runner, caller, answer)) ?? shown(answer, () => planNamedIn(given?.code))
    }
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${name}. The tools are code_search and code_execute.`,
    )
  })
  return server
}

/** Clients that show no pages are not offered any. */
function capabilitiesOf({ extensions, frame }: Exchange): ServerCapabilities {
  const offered = { ...(extensions && { [TASKS]: {} }), ...(frame && { [APPS]: {} }) }
  return {
    tools: {},
    ...(frame && { resources: {} }),
    ...(Object.keys(offered).length > 0 && { extensions: offered }),
  }
}

/** Reports each API call to a client that asked for progress. */
function progressListener(exchange: Exchange, { mcpReq }: ServerContext): CallListener | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined || !exchange.mayStream) return undefined
  let progress = 0
  return ({ method, path, status }) => {
    progress += 1
    const params = { progressToken, progress, message: `${method} ${path} ${status}` }
    // A disconnected client is handled by its abort signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
