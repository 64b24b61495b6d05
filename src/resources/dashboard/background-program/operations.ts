import { expectedEnd, NO_VALUES } from '../../../records/background/progress.ts'
import { requireBackground, resumeBackground, stopBackground } from '../../../records/background/state.ts'
import { openValues } from '../../../records/background/value.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { seesProgram, seesValues } from '../../../records/program-sight.ts'
import { requireRow } from '../../../records/records.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { callerNames } from '../callers.ts'
import { BackgroundProgram, type BackgroundProgramRow } from './background-program.ts'
import { continueBackground } from './jobs.ts'

const { list, retrieve, action } = verbs(BackgroundProgram)

/** Replaces the private fields for callers who may not read the program. */
const WITHHELD = {
  ...{ withheld: true, code: '', changes: {}, ...NO_VALUES, asked_operations: null },
  ...{ error: null, error_line: null, error_hint: null },
}

function sightOf({ caller }: Context, row: BackgroundProgramRow) {
  if (!seesProgram(caller, row)) return WITHHELD
  return { withheld: false, ...(seesValues(caller, row) ? {} : NO_VALUES) }
}

export const backgroundPrograms = resource(BackgroundProgram, {
  derive: async (rows, context) => {
    const names = await callerNames(context, rows)
    return rows.map((row, index) => {
      const { last_value, value_sums } = openValues(context.services.vault, row)
      return { ...names[index], expected_end_at: expectedEnd(row), last_value, value_sums, ...sightOf(context, row) }
    })
  },
  jobs: [continueBackground],
  dashboard: [
    list({
      summary: 'List background programs',
      path: '/background_programs',
      withoutRanges: ['value_sum', 'error_line'],
      filters: {
        state: equals(BackgroundProgram, 'state'),
        caller_id: equals(BackgroundProgram, 'caller_id'),
        user_id: equals(BackgroundProgram, 'user_id'),
        plan: equals(BackgroundProgram, 'plan'),
      },
    }),
    retrieve({ summary: 'Show one background program', path: '/background_programs/{id}' }),
    action('stop', {
      summary: 'Stop a background program',
      path: '/background_programs/{id}/stop',
      evenWhenFull: true,
      rule: stop,
    }),
    action('resume', {
      summary: 'Let a background program go on',
      path: '/background_programs/{id}/resume',
      rule: resume,
    }),
  ],
})

async function stop(context: Context, { id }: BackgroundProgramRow): Promise<BackgroundProgramRow> {
  await stopBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}

async function resume(context: Context, { id }: BackgroundProgramRow): Promise<BackgroundProgramRow> {
  await resumeBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}
