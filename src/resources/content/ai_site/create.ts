import { isUser } from '../../../contract/declarations/caller.ts'
import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { withoutMarker } from '../../../contract/values/agent-marker.ts'
import { cut } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, findRow, insertRow } from '../../../records/records.ts'
import { createTask } from '../../automation/task/create.ts'
import { originOf } from '../../automation/task_run/enqueue.ts'
import { TaskRun } from '../../automation/task_run/task_run.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'
import { briefOf, enqueueBuild, findBuilder } from './order.ts'
import { freeSubdomain, requireFreeSubdomain } from './subdomain.ts'

const MAX_TASK_NAME = 100

type Input = CreateInput<typeof AiSite>

/** Words of a prompt that make a name. */
const NAME_WORDS = 6
const MAX_NAME = 60

export async function createSite(context: Context, input: Input): Promise<AiSiteRow> {
  requireBrief(input)
  const name = input.name ?? nameOf(input)
  if (input.subdomain) await requireFreeSubdomain(context, input.subdomain)
  const subdomain = input.subdomain ?? (await freeSubdomain(context, name))
  const creator = isUser(context.caller) ? context.caller.userId : ''
  const site = await insertRow(context, AiSite, { ...input, name, subdomain, creator })
  const built = await startBuilding(context, site)
  context.emit(AiSite, 'created', built)
  return built
}

/** Throws a 400 when there is nothing to build from. */
export function requireBrief({ prompt, github_repo_full_name }: Partial<Input>): void {
  if (!prompt && !github_repo_full_name) throw missingParameter('prompt')
}

function nameOf({ prompt, github_repo_full_name }: Input): string {
  const brief = prompt ? withoutMarker(prompt) : ''
  const words = brief ? brief.split(/\s+/).slice(0, NAME_WORDS).join(' ') : (github_repo_full_name?.split('/')[1] ?? '')
  const cut = [...words].slice(0, MAX_NAME).join('')
  return cut.replace(/[\s.,;:!?–-]+$/, '') || 'Site'
}

/** Makes the task that builds a site, and lets its first run be carried out where this service builds the site by itself. */
async function startBuilding(context: Context, site: AiSiteRow): Promise<AiSiteRow> {
  const brief = briefOf(site)
  const builder = await findBuilder(context, brief)
  const task = await createTask(context, {
    name: cut(`Build site ${site.name}`, MAX_TASK_NAME),
    prompt: builder.instructionsFor(brief),
    ...{ trigger_type: 'manual', approval_mode: 'auto', trust_events: false, active: true, timezone: 'UTC' },
    ...{ event_types: [], delivery_methods: [] },
  })
  const linked = await changeRow(context, AiSite, site, { build_task: task.id })
  const run = task.last_run && (await findRow(context, TaskRun, task.last_run))
  if (run) await enqueueBuild(context, run, originOf(run))
  return linked
}
