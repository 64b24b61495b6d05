import { availableParallelism } from 'node:os'
import { findCaller } from '../access/authenticate.ts'
import { Descriptions } from '../contract/documents/descriptions/descriptions.ts'
import { resourceDocs } from '../contract/documents/resource-docs.ts'
import { toolsOf } from '../contract/documents/tools.ts'
import type { Skill } from '../mcp/endpoint/skills.ts'
import { createMcp, type Mcp } from '../mcp/mcp.ts'
import { ParameterNames } from '../mcp/program/parameter-names.ts'
import { backlog, loadGauges } from '../monitoring/load.ts'
import { measuredCalls } from '../monitoring/measured.ts'
import { tracedCalls, tracedSandbox } from '../monitoring/traces/parts.ts'
import { planFrame } from '../pages/plan-frame/plan-frame.ts'
import { accountTime } from '../pipeline/account-time.ts'
import { BodyReader } from '../pipeline/body-reader.ts'
import { ListReader } from '../pipeline/list-reader.ts'
import { recordRuns } from '../pipeline/program-runs.ts'
import { RequestLog } from '../pipeline/request-log.ts'
import { rightsOf } from '../resources/company/user/members.ts'
import * as subscriptions from '../resources/messages/webhook-endpoint/subscription.ts'
import { lazy } from '../runtime/lazy.ts'
import type { OpenSandbox, Tool } from '../sandbox/api.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { documentedSettings } from '../settings/documented.ts'
import type { Core } from './core.ts'

/** The MCP endpoint and the sandbox for its Ruby programs, with the parts that it shares with the REST API. */
export interface Endpoint {
  mcp: Mcp
  sandbox: OpenSandbox
  /** Recent REST and MCP requests, for the dashboard. */
  requests: RequestLog
  /** Reads request bodies; all transports share its memory limit. */
  bodies: BodyReader
}

export async function openEndpoint(core: Core, startsAtOnce: boolean): Promise<Endpoint> {
  const { database, log } = core
  const requests = new RequestLog(database, (error) => log.error({ err: error }, 'Requests could not be recorded'))
  const tools = toolsOf(core.pipeline.operations, core.pipeline.presenter.findNoun)
  const parts = { sandbox: await openSandbox(core, tools, startsAtOnce), requests, bodies: new BodyReader() }
  return { ...parts, mcp: mcpOver(core, parts, tools) }
}

export async function closeEndpoint({ sandbox, mcp, requests }: Endpoint): Promise<void> {
  await sandbox.close()
  await mcp.close()
  await requests.settled()
}

async function openSandbox(core: Core, tools: Tool[], startsAtOnce: boolean): Promise<OpenSandbox> {
  const { settings, pipeline, observed, database, cacheDirectory } = core
  const { measures } = observed.monitor
  const { operations, presenter } = pipeline
  const descriptions = new Descriptions(operations, presenter.findNoun)
  const sandbox = await createSandbox({
    tools,
    resources: resourceDocs(operations, presenter.findNoun),
    describe: (questions, said) => descriptions.describe(questions, said),
    workers: settings.SANDBOX_WORKERS ?? Math.min(2, availableParallelism()),
    cacheDirectory,
    startsAtOnce,
    watch: measures ? { waited: measures.programWaited, started: measures.interpreterStarted } : undefined,
  })
  observed.read(
    () => loadGauges(database.load(), sandbox.load()),
    () => backlog(database),
    ...core.assembly.features.flatMap(({ gauges }) => (gauges ? [() => gauges(database, core.services)] : [])),
  )
  return tracedSandbox(sandbox, observed.traces)
}

function mcpOver(core: Core, parts: Omit<Endpoint, 'mcp'>, tools: Tool[]): Mcp {
  const { database, storage, services, pipeline, clocks, board, settings, publicUrl, log } = core
  const { measures } = core.observed.monitor
  return createMcp({
    ...parts,
    names: new ParameterNames(tools),
    findNoun: pipeline.presenter.findNoun,
    time: accountTime(clocks),
    database,
    storage,
    vault: services.vault,
    spend: (caller) => pipeline.budget.spend(caller),
    rightsOf: (accountId, actors) => rightsOf({ db: database.read, accountId }, actors),
    lists: new ListReader(pipeline),
    inTransaction: (caller, work) => pipeline.contexts.part(database, caller, [], work),
    callerOf: (absent) => findCaller(database, absent),
    batchBudget: (caller, paid, onEmpty) => pipeline.budget.ofBatch(caller, paid, onEmpty),
    programBudget: (caller, options) => pipeline.budget.ofProgram(caller, options),
    wakeWorker: () => board.wake(),
    foresee: (scope, caller, left) => pipeline.contexts.foresee(scope, caller, left),
    runOperation: tracedCalls(
      measuredCalls((request) => pipeline.run(request), measures),
      core.observed.traces,
    ),
    recordRuns: (runs) => {
      for (const { kind, outcome, duration_ms } of runs) measures?.program({ kind, outcome, durationMs: duration_ms })
      return recordRuns(database, runs)
    },
    frame: planFrame({ pipeline, database, publicUrl, log }),
    events: {
      subscriptions,
      look: (caller, work) => pipeline.contexts.look(database, caller, work),
      write: (caller, work) =>
        pipeline.contexts.part(database, caller, subscriptions.SUBSCRIPTION_EMITS, work, { inTurn: true }),
    },
    skill: lazy(() => loadSkill(core)),
    publicUrl,
    allowedHosts: settings.ALLOWED_HOSTS,
    allowedOrigins: settings.ALLOWED_ORIGINS,
    log,
  })
}

/** The guides are read when a client first asks for the skill, so that the start is fast. */
async function loadSkill({ pipeline, publicUrl, settings }: Core): Promise<Skill> {
  const { programmingSkill } = await import('../pages/documentation/skill.ts')
  const { operations, nouns, presenter } = pipeline
  const catalogue = { operations, nouns, findNoun: presenter.findNoun }
  return programmingSkill(catalogue, { publicUrl, documented: documentedSettings(settings) })
}
