import { ApiError } from '../../../contract/declarations/errors.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { deriveExperiences } from './content.ts'
import { Experience, type ExperienceRow, type WRITTEN, type WRITTEN_ONCE } from './experience.ts'
import { settleContent } from './settle-content.ts'

type Input = InputOf<typeof WRITTEN>

export async function createExperience(
  context: Context,
  { name, slug, description, access_type, item_type, ...content }: Input & InputOf<typeof WRITTEN_ONCE>,
): Promise<ExperienceRow> {
  const values = {
    name,
    ...(slug !== undefined && { slug }),
    description: description ?? null,
    access_type,
    item_type,
    content: await settleContent(context, item_type, content, null),
  }
  const experience = await insertWithSlug(context, Experience, values, name)
  context.emit(Experience, 'created', experience)
  return experience
}

/** Content fields that are missing in the request stay unchanged. */
export async function updateExperience(
  context: Context,
  experience: ExperienceRow,
  { name, slug, description, access_type, ...content }: Partial<Input>,
): Promise<ExperienceRow> {
  if (slug !== undefined) await requireFreeSlug(context, Experience, slug, experience.id)
  const changed = await changeRow(context, Experience, experience, {
    ...(name !== undefined && { name }),
    ...(slug !== undefined && { slug }),
    ...(description !== undefined && { description }),
    ...(access_type !== undefined && { access_type }),
    content: await settleContent(context, experience.item_type, content, experience.content),
  })
  context.emit(Experience, 'updated', changed)
  return changed
}

/** Throws if prices include the experience, because their buyers have paid for access. */
export async function deleteExperience(context: Context, experience: ExperienceRow): Promise<void> {
  const [derived] = await deriveExperiences([experience], context)
  if ((derived!.products as string[]).length > 0)
    throw new ApiError('resource_in_use', 'Product prices include this experience. Remove it from those prices first.')
  await deleteRow(context, Experience, experience)
  context.emit(Experience, 'deleted', experience)
}
