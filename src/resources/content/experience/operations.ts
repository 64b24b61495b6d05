import type { Row } from '../../../contract/noun.ts'
import type { Operation, Result } from '../../../contract/operation.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { withoutLessonTexts } from './content.ts'
import { Experience } from './experience.ts'
import { deriveExperiences } from './show.ts'

const { list, retrieve } = verbs(Experience)

export const experiences = resource(Experience, {
  derive: deriveExperiences,
  operations: [
    shortened(
      list({
        summary: 'List experiences',
        description:
          'Courses, downloads, communities and other things that buyers get access to. Lessons of courses come without their texts.',
        filters: {
          item_type: equals(Experience, 'item_type', 'Only experiences of this kind'),
          access_type: equals(Experience, 'access_type', 'Only secret ones, or only open ones'),
        },
      }),
    ),
    retrieve({ summary: 'Show one experience with its content' }),
  ],
})

function shortened(operation: Operation<Context>): Operation<Context> {
  return { ...operation, apply: async (context, call) => withShortRows(await operation.apply(context, call)) }
}

function withShortRows(result: Result): Result {
  if (result.kind !== 'list') return result
  return { ...result, rows: (result.rows as Row<typeof Experience>[]).map(withoutLessonTexts) }
}
