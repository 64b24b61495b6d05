import { ApiError } from '../../../contract/declarations/errors.ts'
import type { InputOf } from '../../../contract/declarations/noun.ts'
import type { Operation, Result } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { changeRow, deleteRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { insertWithSlug, requireFreeSlug } from '../../../records/slugs.ts'
import { verbs } from '../../../records/verbs.ts'
import { deriveExperiences, withoutLessonTexts } from './content.ts'
import { Experience, type ExperienceRow, WRITTEN, WRITTEN_ONCE } from './experience.ts'
import { CONTENT_CHECKS, settleContent } from './settle-content.ts'
import { ANY_CONTENT } from './written.ts'

type Input = InputOf<typeof WRITTEN>

async function createExperience(
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
  return context.emit(Experience, 'created', await insertWithSlug(context, Experience, values, name))
}

/** Updates an experience. Content fields that are missing in the request stay unchanged. */
async function updateExperience(
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
  return context.emit(Experience, 'updated', changed)
}

/** Deletes an experience. Throws `resource_in_use` if prices include it, because their buyers have paid for access. */
async function deleteExperience(context: Context, experience: ExperienceRow): Promise<void> {
  const [derived] = await deriveExperiences([experience], context)
  if ((derived!.products as string[]).length > 0)
    throw new ApiError('resource_in_use', 'Product prices include this experience. Remove it from those prices first.')
  await deleteRow(context, Experience, experience)
  context.emit(Experience, 'deleted', experience)
}

const { list, retrieve, create, update, remove } = verbs(Experience)

export const experiences = resource(Experience, {
  derive: deriveExperiences,
  operations: [
    shortened(
      list({
        summary: 'List experiences',
        description:
          'Courses, downloads, communities and other things that buyers get access to. Course lessons come without their text.',
        filters: {
          item_type: equals(Experience, 'item_type', 'Only experiences of this kind'),
          access_type: equals(Experience, 'access_type', 'Only secret ones, or only open ones'),
        },
      }),
    ),
    retrieve({ summary: 'Show one experience with its content' }),
  ],
  dashboard: [
    create({
      summary: 'Create an experience',
      description: 'Product prices give access to it. Its kind cannot change.',
      body: { ...WRITTEN, ...WRITTEN_ONCE, ...ANY_CONTENT },
      checks: CONTENT_CHECKS,
      rule: createExperience,
    }),
    update({
      summary: 'Change an experience',
      description: 'Buyers with access see the change at once.',
      body: { ...WRITTEN, ...ANY_CONTENT },
      rule: updateExperience,
    }),
    remove({
      summary: 'Delete an experience',
      description: 'Not allowed while a price includes it. This cannot be undone.',
      rule: deleteExperience,
    }),
  ],
})

function shortened<Op extends Operation<Context>>(operation: Op): Op {
  return { ...operation, apply: async (context, call) => withShortRows(await operation.apply(context, call)) }
}

function withShortRows(result: Result): Result {
  if (result.kind !== 'list') return result
  return { ...result, rows: (result.rows as ExperienceRow[]).map(withoutLessonTexts) }
}
