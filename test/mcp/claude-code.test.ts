import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { SECRET_KEY } from '../support/app.ts'
import { type ClaudeTerminal, claudeVersion, HAS_CLAUDE_CODE, openClaude, printClaude } from '../support/claude-code.ts'
import { type ModelServer, type Reply, startModelServer, type Turn } from '../support/model-server.ts'
import { type WatchedEndpoint, watchEndpoint } from '../support/watched-endpoint.ts'
import { type Agent, startAgent } from './agent.ts'
import { REVISION, TASKS } from './modern.ts'

const [SEARCH, EXECUTE] = ['mcp__shop__code_search', 'mcp__shop__code_execute']
/** Claude Code takes two seconds to start and polls its tasks every five; the rest allows for a busy machine. */
const PATIENCE_MS = 90_000

const title = HAS_CLAUDE_CODE ? 'Claude Code' : 'Claude Code (ABSENT: run peers/install claude-code)'

describe.skipIf(!HAS_CLAUDE_CODE)(title, { timeout: PATIENCE_MS }, () => {
  let agent: Agent
  let model: ModelServer
  let endpoint: WatchedEndpoint
  let terminal: ClaudeTerminal | null = null
  beforeAll(async () => {
    agent = await startAgent()
    model = await startModelServer()
  })
  afterAll(async () => {
    await model.close()
    await agent.close()
  })
  beforeEach(async () => {
    endpoint = await watchEndpoint(agent.mcpUrl)
  })
  afterEach(async () => {
    await terminal?.close()
    terminal = null
    endpoint.close()
    model.turns.length = 0
  })

  it('is installed so that it runs', () => {
    expect(claudeVersion()).toMatch(/^\d+\.\d+\.\d+ \(Claude Code\)\n$/)
  })

  const place = (token: string) => ({ model, mcpUrl: endpoint.url, token })
  const sent = (method: string) => endpoint.messages.filter((message) => message.method === method)
  const declared = (method: string) =>
    sent(method)[0]?.params._meta['io.modelcontextprotocol/clientCapabilities'].extensions ?? {}

  async function until(holds: () => boolean, what: string): Promise<void> {
    for (let tries = 0; !holds(); tries++) {
      if (tries === PATIENCE_MS / 200) throw new Error(`Never happened: ${what}`)
      await delay(100)
    }
  }

  /** Opens a terminal in which the model runs one program and then takes the step `then`. */
  async function runInTerminal(token: string, code: string, then: Step = () => ({ say: 'Waiting.' })): Promise<void> {
    const step = stepsOf([() => ({ call: EXECUTE, with: { code } }), then])
    model.script = (turn) => step(turn)
    terminal = await openClaude(place(token))
    await until(() => sent('tools/list').length > 0, 'it lists the tools')
    // It may begin its first turns before it has processed the tool list.
    for (let tries = 0; sent('tools/call').length === 0; tries++) {
      if (tries === 20) throw new Error('Claude Code never called the tool')
      const before = model.turns.length
      await terminal.ask('Run the program.', () => model.turns.length > before)
      await delay(500)
    }
  }

  const lastResult = () => model.turns.at(-1)?.results.at(-1) ?? ''
  /** The notification about an ended task that it sends to the model on its own. */
  const notice = () => model.turns.map(({ last }) => last).findLast((last) => last.includes('task-notification')) ?? ''

  it('connects, lists the two tools and calls them, asked by a script', async () => {
    const step = stepsOf([
      () => ({ call: SEARCH, with: { code: 'describe("tag")' } }),
      () => ({ call: EXECUTE, with: { code: 'post("/tags", name: "by Claude Code")["name"]' } }),
      () => ({ say: 'The tag was made.' }),
    ])
    model.script = (turn) => step(turn)
    const answer = await printClaude(place(agent.app.token), 'Make a tag.')
    expect(answer).toMatchObject({ result: 'The tag was made.', is_error: false })
    expect(model.turns.at(-1)!.tools.filter((name) => name.startsWith('mcp__'))).toEqual([EXECUTE, SEARCH])
    const [described, executed] = model.turns.at(-1)!.results
    expect(described).toContain('POST /tags')
    expect(JSON.parse(executed!)).toEqual({ committed: 'all', changed: { 'tag.created': 1 }, result: 'by Claude Code' })
    expect(await agent.tags()).toContain('by Claude Code')
    expect(sent('tools/call').map(({ headers }) => headers['mcp-protocol-version'])).toEqual([REVISION, REVISION])
    // A script cannot receive task notifications, so the client declares no tasks and gets the result directly.
    expect(declared('tools/call')).toEqual({})
  })

  it('waits in a terminal for the person who applies its plan, and gets the result', async () => {
    const { database, firstAccount, pipeline } = agent.app.app
    const token = (await createToken(database, SECRET_KEY, firstAccount!, { name: 'Claude', right: 'propose' })).value
    await runInTerminal(token, 'post("/tags", name: "proposed by Claude Code")["name"]')
    expect(declared('tools/call')).toEqual({ [TASKS]: {} })
    await until(() => lastResult().includes('plan_'), 'the model reads that the call goes on')
    const plan = /plan_\w+/.exec(lastResult())![0]
    expect(lastResult()).toContain(`started server-side task ${plan}`)
    await until(() => sent('tasks/get').some(({ params }) => params.taskId === plan), 'it asks for its task')
    const caller = { kind: 'session', sessionId: 'session_1', role: 'owner', ...firstAccount! } as const
    const path = `/plans/${plan}/apply`
    await pipeline.run({ method: 'POST', path, query: {}, body: { note: 'Fine.' }, caller, dashboard: true })
    await until(() => notice() !== '', 'the model is told that the task has ended')
    expect(notice()).toContain('proposed by Claude Code')
    expect(notice()).toContain('Fine.')
    expect(await agent.tags()).toContain('proposed by Claude Code')
  })

  it('takes its plan back when its model stops the task', async () => {
    const { database, firstAccount } = agent.app.app
    const token = (await createToken(database, SECRET_KEY, firstAccount!, { name: 'Claude', right: 'propose' })).value
    const stop = ({ results }: Turn) => ({ task_id: /task_id "(\w+)"/.exec(results.at(-1)!)![1] })
    await runInTerminal(token, 'post("/tags", name: "taken back")["name"]', (turn) => ({
      call: 'TaskStop',
      with: stop(turn),
    }))
    await until(() => sent('tasks/cancel').length > 0, 'it cancels the task')
    const plans = database.read.selectFrom('program_plans').select('state')
    await until(() => lastResult().includes('stopped'), 'the model reads that it is stopped')
    const { params } = sent('tasks/cancel')[0]!
    expect(await plans.where('id', '=', params.taskId).execute()).toEqual([{ state: 'withdrawn' }])
  })

  it('waits in a terminal for the last batch of its background program', async () => {
    await agent.execute('6.times { |i| post("/customers", email: "claude#{i}@example.com") }')
    const code = `# background: true
each_batch(list("/customers"), of: 2) { |rows| rows.each { |row| patch("/customers/#{row["id"]}", name: "Done") }; rows.size }`
    await runInTerminal(agent.app.token, code)
    await until(() => lastResult().includes('bg_'), 'the model reads that the call goes on')
    expect(lastResult()).toMatch(/started server-side task bg_\w+/)
    await until(() => notice() !== '', 'the model is told that the task has ended')
    expect(notice()).toContain('"state":"done"')
    expect(notice()).toContain('"sum":6')
  })
})

/** Plays one step per turn that has the tools. Turns without them get a placeholder reply. */
function stepsOf(steps: Step[]): Step {
  let next = 0
  return (turn) =>
    turn.tools.includes(EXECUTE) ? (steps[next++]?.(turn) ?? { say: 'Done.' }) : { say: 'No tools yet.' }
}

type Step = (turn: Turn) => Reply
