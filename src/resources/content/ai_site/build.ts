import type { Row } from '../../../contract/declarations/noun.ts'
import { cut } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { createTask } from '../../automation/task/create.ts'
import { AiSite } from './ai_site.ts'

type SiteRow = Row<typeof AiSite>

const MAX_TASK_NAME = 100

/** Makes the task that builds a site, whose first run waits for a builder. */
export async function startBuilding(context: Context, site: SiteRow): Promise<SiteRow> {
  const { id, name, prompt, subdomain, github_repo_full_name: repository } = site
  const task = await createTask(context, {
    name: cut(`Build site ${name}`, MAX_TASK_NAME),
    prompt: context.services.builder.instructionsFor({ id, name, prompt, subdomain, repository }),
    ...{ trigger_type: 'manual', approval_mode: 'auto', trust_events: false, active: true, timezone: 'UTC' },
    ...{ event_types: [], delivery_methods: [] },
  })
  return changeRow(context, AiSite, site, { build_task: task.id })
}
