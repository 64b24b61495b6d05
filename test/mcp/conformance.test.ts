import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { Client, Person } from '../connect/oauth.ts'
import { listScenarios, type Outcome, type Programs, runSuite, startProxy } from '../support/conformance-suite.ts'
import { startSite } from '../support/local-site.ts'
import { type Agent, startAgent } from './agent.ts'
import { REVISION } from './modern.ts'

const PATIENCE_MS = 120_000
const TAGS = ['last', 'first']
const inBackground = (block: string) => `# background: true\neach_batch(list("/tags"), of: 1) { |rows| ${block} }`

/** Scenarios call tools of the suite's own server. These programs give answers of the same kinds. */
const PROGRAMS: Programs = {
  test_simple_text: () => '"This is a simple text response for testing."',
  test_error_handling: () => 'raise "This tool intentionally returns an error for testing"',
  test_tool_with_progress: () => '3.times { get("/account") }',
  greet: ({ name }) => `"Hello, ${name}!"`,
  slow_compute: ({ seconds }) => (seconds === 0 ? '0' : inBackground('rows.size')),
  failing_job: () => inBackground(`raise "It failed" if rows[0]["name"] == "${TAGS[0]}"`),
  confirm_delete: () => inBackground('rows.size'),
}

/** By the reason why this server cannot pass them: the scenarios and checks, each with the fixture that it needs. */
const MISSING: Record<string, Record<string, string>> = {
  'There are no prompts': {
    'completion-complete': 'test_prompt_with_arguments',
    'prompts-list': 'test_simple_prompt',
    'prompts-get-simple': 'test_simple_prompt',
    'prompts-get-with-args': 'test_prompt_with_arguments',
    'prompts-get-embedded-resource': 'test_prompt_with_embedded_resource',
    'prompts-get-with-image': 'test_prompt_with_image',
    'input-required-result-non-tool-request': 'test_input_required_result_prompt',
    'caching:sep-2549-prompts-list-caching-hints': 'any prompt',
  },
  'The resources are the skill, and a page for clients that show it': {
    'resources-read-text': 'test://static-text',
    'resources-read-binary': 'test://static-binary',
    'resources-templates-read': 'test://template/{id}/data',
    'resources-subscribe': 'test://watched-resource',
    'resources-unsubscribe': 'test://watched-resource',
  },
  'Programs answer JSON': {
    'tools-call-image': 'test_image_content',
    'tools-call-audio': 'test_audio_content',
    'tools-call-embedded-resource': 'test_embedded_resource',
    'tools-call-mixed-content': 'test_multiple_content_types',
    'tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call': 'greet, with a bare text',
  },
  'A person decides on a page of this service, so programs ask their client for nothing': {
    'tools-call-sampling': 'test_sampling',
    'tools-call-elicitation': 'test_elicitation',
    'elicitation-sep1034-defaults': 'test_elicitation_sep1034_defaults',
    'elicitation-sep1330-enums': 'test_elicitation_sep1330_enums',
    'input-required-result-basic-elicitation': 'test_input_required_result_elicitation',
    'input-required-result-basic-sampling': 'test_input_required_result_sampling',
    'input-required-result-basic-list-roots': 'test_input_required_result_list_roots',
    'input-required-result-request-state': 'test_input_required_result_request_state',
    'input-required-result-multiple-input-requests': 'test_input_required_result_multiple_inputs',
    'input-required-result-multi-round': 'test_input_required_result_multi_round',
    'input-required-result-missing-input-response': 'test_input_required_result_elicitation',
    'input-required-result-result-type': 'test_input_required_result_elicitation',
    'input-required-result-tampered-state': 'test_input_required_result_tampered_state',
    'input-required-result-capability-check': 'test_input_required_result_capabilities',
    'input-required-result-ignore-extra-params': 'test_input_required_result_elicitation',
    'server-stateless:sep-2575-server-rejects-undeclared-capability': 'test_missing_capability',
    'server-stateless:sep-2575-missing-capability-http-400': 'test_missing_capability',
    'server-stateless:sep-2575-http-server-no-independent-requests-on-stream': 'test_streaming_elicitation',
    'tasks-mrtr-input': 'confirm_delete and multi_input, with questions',
    'tasks-mrtr-composition': 'test_tool_with_task',
  },
  'There are two tools, which never change and take only a program': {
    'json-schema-2020-12': 'json_schema_2020_12_tool',
    'http-custom-header-server-validation': 'a parameter with x-mcp-header',
    'server-stateless:sep-2575-server-sends-subscription-ack': 'a list that changes',
    'server-stateless:sep-2575-server-tags-subscription-id': 'a list that changes',
    'server-stateless:sep-2575-server-honors-notification-filter': 'a list that changes',
    'server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription': 'test_trigger_prompt_change',
    'server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription': 'test_trigger_tool_change',
  },
  'The output of a program is part of its answer': {
    'logging-set-level': 'log messages',
    'tools-call-with-logging': 'test_tool_with_logging',
    'server-stateless:sep-2575-server-no-log-without-loglevel': 'test_logging_tool',
  },
  'There are no sessions, so that any replica answers': {
    'server-sse-multiple-streams:server-sse-multiple-streams-session': 'a session',
    'server-sse-polling': 'test_reconnection',
  },
  'Whatever happens to a program is its answer, with or without a task': {
    'tasks-lifecycle:sep-2663-tasks-get-status-failed': 'protocol_error_job',
    'tasks-required-task-error': 'failing_job, as a tool that needs tasks',
  },
  'The suite skips it on every server': { 'tasks-status-notifications': 'a newer suite' },
  'The skill lists all its files, so that there are no directories to read': {
    'sep-2640-skills-directory': 'a directory',
  },
}
const LISTED = Object.values(MISSING).flatMap((needs) => Object.keys(needs))
/** Extensions, and with them the resources of all clients, begin with a later revision. */
const MISSING_IN_OLDEST = ['resources-list']

let agent: Agent
beforeAll(async () => {
  agent = await startAgent()
  await agent.execute(`${JSON.stringify(TAGS)}.each { |name| post("/tags", name: name) }`)
})
afterAll(() => agent.close())

describe('The scenarios for servers', () => {
  /** Without a revision, each scenario is run in the oldest one that it is for. */
  const RUNS = { oldest: [], newest: ['--spec-version', REVISION] }
  const outcomes: Record<string, Outcome> = {}
  beforeAll(async () => {
    const proxy = await startProxy(agent, PROGRAMS)
    const run = async ([name, options]: [string, string[]]) => {
      outcomes[name] = await runSuite(['server', '--url', proxy.url, '--suite', 'all', ...options])
    }
    await Promise.all(Object.entries(RUNS).map(run))
    proxy.close()
  }, PATIENCE_MS)

  it('are all run, each that is for several revisions in the oldest and in the newest', async () => {
    const scenarios = await listScenarios('server')
    const ofRevision = scenarios.filter(({ revisions }) => revisions.includes(REVISION))
    expect(Object.keys(outcomes.oldest!).sort()).toEqual(scenarios.map(({ name }) => name).sort())
    expect(Object.keys(outcomes.newest!).sort()).toEqual(ofRevision.map(({ name }) => name).sort())
  })

  it.each(Object.keys(RUNS))('pass in the %s revision, but for those that need what is missing here', (run) => {
    const outcome = outcomes[run]!
    const listed = [...LISTED, ...(run === 'oldest' ? MISSING_IN_OLDEST : [])]
    const failed = Object.entries(outcome).flatMap(([scenario, checks]) =>
      checks.failed.map((id) => listed.find((one) => one === `${scenario}:${id}`) ?? scenario),
    )
    const expected = listed.filter((one) => {
      const [scenario, check] = one.split(':') as [string, string?]
      const { failed = [], passed = [] } = outcome[scenario] ?? {}
      return check === undefined ? scenario in outcome : [...failed, ...passed].includes(check)
    })
    expect([...new Set(failed)].sort()).toEqual(expected.sort())
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const CALLBACK = 'http://127.0.0.1/callback'

test.each(['registered', 'known by a document'])(
  'The scenarios for authorization servers pass with a client that is %s',
  async (how) => {
    const site = await startSite()
    const document = { client_id: `${site.url}/client.json`, redirect_uris: [CALLBACK] }
    site.pages.set('/client.json', (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document)),
    )
    const registered = await Client.registered(agent.app, { redirect_uris: [CALLBACK] })
    const owner = await Person.owner(agent.app)
    const allow = async (text: string) => {
      const asked = /^http\S+\/connect\/authorize\?\S+/m.exec(text)?.[0]
      if (asked === undefined) return
      const { location } = await owner.decide(asked)
      // The suite prints the address before it listens at the callback.
      await vi.waitFor(() => fetch(location!), { timeout: PATIENCE_MS })
    }
    const clientId = how === 'registered' ? registered.id : document.client_id
    const address = `${agent.app.url}/connect`
    const options = ['--url', address, '--resource', address, '--client-id', clientId, '-p', String(await freePort())]
    const outcome = await runSuite(['authorization', ...options], allow)
    await site.close()
    expect(Object.keys(outcome).sort()).toEqual((await listScenarios('authorization')).map(({ name }) => name).sort())
    expect(Object.values(outcome).flatMap(({ failed }) => failed)).toEqual([])
  },
  PATIENCE_MS,
)
