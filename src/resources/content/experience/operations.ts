import type { Operation, Result } from '../../../contract/declarations/operation.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { deriveExperiences, withoutLessonTexts } from './content.ts'
import { Experience, type ExperienceRow, WRITTEN, WRITTEN_ONCE } from './experience.ts'
import { CONTENT_CHECKS } from './settle-content.ts'
import { createExperience, deleteExperience, updateExperience } from './write.ts'
import { ANY_CONTENT } from './written.ts'

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
      emits: ['experience.created'],
      body: { ...WRITTEN, ...WRITTEN_ONCE, ...ANY_CONTENT },
      checks: CONTENT_CHECKS,
      rule: createExperience,
    }),
    update({
      summary: 'Change an experience',
      description: 'Buyers with access see the change at once.',
      emits: ['experience.updated'],
      body: { ...WRITTEN, ...ANY_CONTENT },
      rule: updateExperience,
    }),
    remove({
      summary: 'Delete an experience',
      description: 'Not allowed while a price includes it. This cannot be undone.',
      emits: ['experience.deleted'],
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
