import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type Tool,
} from '@modelcontextprotocol/server'
import { listed } from '../../format/lists.ts'
import type { ToolAnswer } from '../answer.ts'
import { type Skill, skillContents, skillResource } from '../endpoint/skills.ts'
import { readProgram } from '../program/text.ts'
import { PAGE_TYPE } from './extension.ts'
import type { PlanFrame, ShownCall } from './plan-frame.ts'

const PAGE = 'ui://shopwright/plan'

/** The key in a result's `_meta` for the HTML that the page shows. Clients do not pass `_meta` to models. */
const VIEW = 'shopwright/view'

/** The page may not load anything, open connections or contain frames. */
const NO_ORIGINS = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
const PAGE_PROPERTIES = { uri: PAGE, mimeType: PAGE_TYPE, _meta: { ui: { csp: NO_ORIGINS, prefersBorder: true } } }
const ENTRY = {
  ...PAGE_PROPERTIES,
  name: 'plan',
  title: 'Plan',
  description: 'Shows what a plan changes and whether it waits for a decision.',
}

/** Handles requests for the page of plans and the files of the skill. Of these files, the list contains only the main one. */
export function answerResources(server: Server, frame: PlanFrame | null, skill: (() => Promise<Skill>) | null): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: [...(frame ? [ENTRY] : []), ...(skill ? [skillResource(await skill())] : [])],
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    if (frame && uri === PAGE) return { contents: [{ ...PAGE_PROPERTIES, text: frame.page }] }
    const file = skill && skillContents(await skill(), uri)
    if (file) return { contents: [file] }
    const known = [frame && PAGE, skill && 'the files in skills/list'].filter((one) => one !== null)
    const message = `Unknown resource: ${uri}. There are ${listed(known)}.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { uri })
  })
}

/** Attaches the page to `code_execute`, the only tool whose results the page shows. The page itself may not call tools. */
export function withPage(tools: Tool[]): Tool[] {
  const _meta = { ui: { resourceUri: PAGE, visibility: ['model'] } }
  return tools.map((tool) => (tool.name === 'code_execute' ? { ...tool, _meta } : tool))
}

export function withView(result: CallToolResult, view: string | null): CallToolResult {
  return view === null ? result : { ...result, _meta: { ...result._meta, [VIEW]: view } }
}

export function shownCall({ body, isError }: ToolAnswer, named: string | null): ShownCall {
  const { plan } = body
  return { planId: typeof plan === 'string' ? plan : named, answer: JSON.stringify(body), failed: isError }
}

/** Returns the plan id of a command such as `# apply: plan_…`; null for any other program. */
export function planNamedIn(code: unknown): string | null {
  const program = readProgram(code)
  return 'planId' in program ? program.planId : null
}
