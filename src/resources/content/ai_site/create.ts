import { isUser } from '../../../contract/declarations/caller.ts'
import { missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import { withoutMarker } from '../../../contract/values/agent-marker.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { AiSite, type AiSiteRow } from './ai_site.ts'
import { startBuilding } from './build.ts'
import { freeSubdomain, requireFreeSubdomain } from './subdomain.ts'

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
