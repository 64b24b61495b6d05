import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { engines } from '../database/engines.ts'
import { type RunningApp, startApp } from '../support/app.ts'
import { LINKEDIN_SETTINGS } from '../support/linkedin-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { rpc } from '../support/server.ts'
import { ROOT, read } from '../support/source-files.ts'

const TOKEN = 'metrics_for_the_operator_alone'
const FOLDER = `${ROOT}/examples/monitoring`
const PROMTOOL = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find(existsSync)

/** What Prometheus adds to what it reads. */
const ADDED_LABELS = ['job', 'instance']
const ADDED_METRICS = ['up']

/** The labels of each metric, with the parts of histograms. */
type Exported = Map<string, Set<string>>

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[]
  annotations: { list: { expr?: string }[] }
  templating: { list: { definition?: string }[] }
}

const alerts = read('examples/monitoring/alerts.yaml')
const dashboard = JSON.parse(read('examples/monitoring/grafana.json')) as Dashboard

/** Every expression of a file, with the place that has it. */
const expressions: [place: string, expression: string][] = [
  ...[...alerts.matchAll(/- alert: (\w+)\n\s+expr: (?:\|\n)?([\s\S]*?)\n\s+(?:for|labels):/g)].map(
    ([, name, expression]) => [`alert ${name}`, expression!] as [string, string],
  ),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr] as [string, string]),
  ),
  ...dashboard.annotations.list.map(({ expr = '' }) => ['annotation', expr] as [string, string]),
  ...dashboard.templating.list.map(({ definition = '' }) => ['variable', definition] as [string, string]),
]

describe('The alerts and the dashboard', () => {
  const exported: Exported = new Map()
  beforeAll(async () => {
    for (const { name, available } of engines) if (available) note(exported, await scraped(name))
  }, 120_000)

  it('are many, and each alert says what to do', () => {
    const rules = alerts.match(/- alert:/g)!.length
    expect(rules).toBeGreaterThan(10)
    expect(expressions.filter(([place]) => place.startsWith('alert'))).toHaveLength(rules)
    expect(alerts.match(/^ {10}summary: '.+\.'$/gm)).toHaveLength(rules)
    expect(alerts.match(/^ {10}action: '.+\.'$/gm)).toHaveLength(rules)
    expect(expressions.filter(([place]) => place.startsWith('panel')).length).toBeGreaterThan(20)
  })

  it.skipIf(engines.some(({ available }) => !available))(
    'name only metrics and labels that the service exports',
    () => {
      const wrong = expressions.flatMap(([place, expression]) =>
        faultsOf(expression, exported).map((fault) => `${place}: ${fault}`),
      )
      expect(wrong).toEqual([])
      // The action of an alert names metrics as well.
      const named = [...alerts.matchAll(/\bshopwright_\w+/g)].map(([name]) => name)
      expect(named.filter((name) => !exported.has(name) && !exported.has(`${name}_bucket`))).toEqual([])
    },
  )

  it.skipIf(engines.some(({ available }) => !available))('would be found out if they named others', () => {
    expect(faultsOf('rate(shopwright_request_total[5m])', exported)).toEqual(['no metric shopwright_request_total'])
    expect(faultsOf('shopwright_requests_total{code="500"}', exported)).toEqual([
      'shopwright_requests_total has no label code',
    ])
    expect(faultsOf('sum by (queue) (shopwright_requests_total)', exported)).toEqual([
      'no metric here has a label queue',
    ])
  })
})

describe.skipIf(!PROMTOOL)(`promtool${PROMTOOL ? '' : ' (ABSENT: install Debian’s package prometheus)'}`, () => {
  const promtool = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(PROMTOOL!, args, { cwd: FOLDER, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  it('accepts the rules and the configuration', () => {
    expect(promtool('check', 'rules', 'alerts.yaml')).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    })
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toMatchObject({ status: 0 })
  })

  it('finds that the alerts fire when they should, and only then', () => {
    expect(promtool('test', 'rules', 'alerts.test.yaml')).toMatchObject({ status: 0 })
  })
})

/** What a busy service exports on this engine. */
async function scraped(engine: 'sqlite' | 'postgres'): Promise<string> {
  const receiver = await startReceiver()
  const shop = await startApp({ engine, settings: { METRICS_TOKEN: TOKEN, ...LINKEDIN_SETTINGS } })
  try {
    await workOf(shop, receiver.url)
    const headers = { Authorization: `Bearer ${TOKEN}` }
    const scrape = async () => (await fetch(`${shop.url}/metrics`, { headers })).text()

    await receiver.until(1)
    await vi.waitFor(async () => expect(await scrape()).toMatch(/shopwright_programs_total\{/), 20_000)
    await vi.waitFor(async () => expect(await scrape()).toMatch(/shopwright_webhook_attempts_total\{/), 20_000)
    await vi.waitFor(async () => expect(await scrape()).toMatch(/shopwright_mail_total\{/), 20_000)
    return await scrape()
  } finally {
    await shop.close()
    await receiver.close()
  }
}

/** One of everything that is counted with labels. */
async function workOf(shop: RunningApp, url: string): Promise<void> {
  await shop.api('POST', '/webhook_endpoints', { url: `${url}/hook`, enabled_events: ['*'] })
  const { body: customer } = await shop.api('POST', '/customers', { email: 'ada@example.com' })
  await shop.api('POST', '/emails', { customer: customer.id, subject: 'Counted', text: 'Hello' })
  const headers = { Authorization: `Bearer ${shop.token}` }
  await rpc(`${shop.url}/mcp`, headers, 'tools/call', {
    name: 'code_execute',
    arguments: { code: 'get("/products").size' },
  })
}

function note(exported: Exported, text: string): void {
  for (const [, name, kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const part of kind === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      exported.set(name! + part, new Set(exported.get(name! + part)))
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(name!) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!)
    exported.set(name!, known)
  }
}

/** Metrics and labels of an expression that are not exported. */
function faultsOf(expression: string, exported: Exported): string[] {
  const selectors = [...expression.matchAll(/\b((?:shopwright|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)]
  const names = selectors.map(([, name]) => name!)
  const faults = selectors.flatMap(([, name, matchers = '']) => {
    if (ADDED_METRICS.includes(name!)) return []
    const labels = exported.get(name!)
    if (!labels) return [`no metric ${name}`]
    const given = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!)
    return given.filter((label) => !known(label, [labels])).map((label) => `${name} has no label ${label}`)
  })
  const all = names.flatMap((name) => exported.get(name) ?? [])
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
    list!.split(',').map((one) => one.trim()),
  )
  return [
    ...faults,
    ...grouped.filter((label) => !known(label, all)).map((label) => `no metric here has a label ${label}`),
  ]
}

function known(label: string, sets: Set<string>[]): boolean {
  return ADDED_LABELS.includes(label) || sets.some((labels) => labels.has(label))
}
