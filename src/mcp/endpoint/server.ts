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
import { VERSION } from '../../runtime/version.ts'
import type { ToolAnswer } from '../answer.ts'
import { APPS } from '../apps/extension.ts'
import { answerResources, planNamedIn, shownCall, withPage, withView } from '../apps/page.ts'
import type { PlanFrame } from '../apps/plan-frame.ts'
import type { Handles } from '../handles/handle.ts'
import type { CallListener } from '../program/calls.ts'
import type { Confirm } from '../program/run.ts'
import { answerEvents, type EventParts } from './events.ts'
import { answerSkills, SKILLS, type Skill } from './skills.ts'
import { answerTasks, handleResult, TASKS } from './tasks.ts'
import { INSTRUCTIONS, TOOL_LIST } from './tool-list.ts'

export interface SearchOptions {
  signal?: AbortSignal
  requestId?: string
  /** Whether a long result is returned unshortened, for a client that stores it in a file. */
  whole?: boolean
}

export interface ExecuteOptions extends SearchOptions {
  onCall?: CallListener
  /** Whether the program is only planned, as if it began with `# dry_run: true`. */
  dryRun?: boolean
  /** Whether the client can poll for the final response while a person decides on a plan. */
  waits?: boolean
  /** The rate limit that the program's calls count against; a new one if absent. */
  budget?: RunBudget
  decider?: PlanDecider
  /** Decides in the program's transaction whether its changes or plan may be stored. */
  confirm?: Confirm
}

/** The two tools, and the calls that continue in the background. */
export interface ToolRunner extends Handles {
  search(caller: Caller, code: unknown, options?: SearchOptions): Promise<ToolAnswer>
  execute(caller: Caller, code: unknown, options?: ExecuteOptions): Promise<ToolAnswer>
  planAgain(caller: Caller, planId: string): Promise<ToolAnswer>
}

export interface Exchange {
  caller: Caller
  requestId: string
  signal: AbortSignal
  mayStream: boolean
  /** The extensions that the client declares; null if the protocol revision has no extensions. */
  extensions: ReadonlyMap<string, object> | null
  frame: PlanFrame | null
  skill(): Promise<Skill>
  events: EventParts
  /** Logs an unexpected error, and returns a message that the client may see. */
  messageOf(error: unknown): string
  programBudget(): RunBudget
}

/** The key in a tool call's `_meta` whose value `true` requests a long result unshortened. */
export const WHOLE_RESULT = 'shopwright/whole-result'

const SERVER_INFO = { name: 'shopwright', title: 'Shopwright', version: VERSION }

/** Creates the MCP server for one request. It has no state, so any replica can handle the next request. */
export function mcpServer(runner: ToolRunner, exchange: Exchange): Server {
  const { caller, requestId, signal, extensions, frame } = exchange
  const server = new DiscreetServer(exchange.messageOf, SERVER_INFO, {
    capabilities: capabilitiesOf(exchange),
    instructions: INSTRUCTIONS,
  })
  const waits = extensions?.has(TASKS) ?? false
  const shown = async (answer: ToolAnswer, named: () => string | null) => {
    const result = toResult(answer)
    return frame ? withView(result, await frame.show(caller, shownCall(answer, named()))) : result
  }
  if (extensions)
    answerTasks(server, runner, { caller, isDeclared: waits, shown: (answer, id) => shown(answer, () => id) })
  if (extensions) answerSkills(server, exchange.skill)
  if (extensions) answerEvents(server, exchange.events, exchange)
  if (frame || extensions) answerResources(server, frame, extensions && exchange.skill)
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

type Handler = Parameters<Server['_wrapHandler']>[1]

/** Replaces the messages of unexpected errors. The library would send them to the client, even those of the database. */
class DiscreetServer extends Server {
  readonly #messageOf: Exchange['messageOf']

  constructor(messageOf: Exchange['messageOf'], ...given: ConstructorParameters<typeof Server>) {
    super(...given)
    this.#messageOf = messageOf
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler)
    return (request, context) =>
      wrapped(request, context).catch((error: unknown) => {
        if (error instanceof ProtocolError) throw error
        throw new ProtocolError(ProtocolErrorCode.InternalError, this.#messageOf(error))
      })
  }
}

/** Returns the body both as `structuredContent` and as text, because some clients show the model only one of the two. */
function toResult({ body, isError }: ToolAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(isError && { isError }),
  }
}

/** Returns what this server offers. Its resources are HTML pages, for clients that can show them, and the files of the skill. */
function capabilitiesOf({ extensions, frame }: Exchange): ServerCapabilities {
  const offered = { ...(extensions && { [TASKS]: {}, [SKILLS]: {} }), ...(frame && { [APPS]: {} }) }
  return {
    tools: {},
    ...((frame || extensions) && { resources: {} }),
    ...(extensions && { events: {} }),
    ...(Object.keys(offered).length > 0 && { extensions: offered }),
  }
}

/** Reports each API call as progress, if the client has asked for progress notifications. */
function progressListener(exchange: Exchange, { mcpReq }: ServerContext): CallListener | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined || !exchange.mayStream) return undefined
  let progress = 0
  return ({ method, path, status }) => {
    progress += 1
    const params = { progressToken, progress, message: `${method} ${path} ${status}` }
    // A failure is ignored because a client that has disconnected also aborts the exchange.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
