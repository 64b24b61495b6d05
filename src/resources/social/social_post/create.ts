import { invalid, missingParameter } from '../../../contract/declarations/errors.ts'
import type { CreateInput } from '../../../contract/declarations/noun.ts'
import type { BodyCheck } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { insertRow } from '../../../records/records.ts'
import { requireAccounts, requireContent, requireMedia } from './content.ts'
import { startPublishing } from './publish.ts'
import { planPost, requirePlannable } from './schedule.ts'
import { SocialPost, type SocialPostRow } from './social_post.ts'

type Input = CreateInput<typeof SocialPost>

/** A draft; with scheduled_at it is planned, and with publish_now it goes out at once. */
export async function createPost(context: Context, input: Input): Promise<SocialPostRow> {
  requireOneTime(input)
  const post = await insertPost(context, input)
  context.emit(SocialPost, 'created', post)
  if (input.publish_now) return shown(context, await startPublishing(context, post, { awaited: true }))
  if (!input.scheduled_at) return post
  requirePlannable(context, input.scheduled_at)
  return shown(context, await planPost(context, post, input.scheduled_at))
}

export const POST_CHECKS: readonly BodyCheck<Context, Partial<Input>>[] = [
  { fields: ['content', 'media'], check: (_, given) => requireSomething(given) },
  {
    fields: ['content', 'media'],
    check: (_, { content = null, media = [] }) => content !== null && requireContent({ content, media }),
  },
  { fields: ['media'], check: (context, { media = [] }) => requireMedia(context, { media }) },
  { fields: ['overrides'], check: (context, { overrides = {} }) => requireMedia(context, { overrides }) },
  { fields: ['publish_now', 'scheduled_at'], check: (_, given) => requireOneTime(given) },
  {
    fields: ['scheduled_at'],
    check: (context, { scheduled_at }) => scheduled_at && requirePlannable(context, scheduled_at),
  },
  { fields: ['social_accounts'], check: (_, { social_accounts }) => requireAny(social_accounts) },
]

function requireOneTime({ publish_now, scheduled_at }: Partial<Input>): void {
  if (publish_now && scheduled_at) throw invalid({ scheduled_at: ['cannot be given together with publish_now'] })
}

function requireAny(accounts: readonly string[] | undefined): void {
  if (accounts?.length === 0) throw invalid({ social_accounts: ["can't be blank"] })
}

/** The event of the creation shows the post as it is then. */
function shown(context: Context, post: SocialPostRow): SocialPostRow {
  context.emit(SocialPost, 'created', post)
  return post
}

type Values = Omit<Input, 'publish_now'> & Partial<Pick<Input, 'publish_now'>>

/** Writes a draft of what a body says, once all that it names was found. */
async function insertPost(context: Context, input: Values): Promise<SocialPostRow> {
  const { ids, platforms, rows } = await requireAccounts(context, input.social_accounts)
  requireAny(ids)
  const used = await requireMedia(context, input)
  requireSomething(input)
  requireContent(input)
  return insertRow(context, SocialPost, {
    ...input,
    ...used,
    ...{ social_accounts: ids, platforms, status: 'draft' },
    timezone: input.timezone ?? rows[0]!.default_timezone,
  })
}

function requireSomething({ content, media }: Partial<Pick<Input, 'content' | 'media'>>): void {
  if (content == null && !media?.length) throw missingParameter('content')
}
