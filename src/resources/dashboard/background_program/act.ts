import type { Row } from '../../../contract/declarations/noun.ts'
import { requireBackground, resumeBackground, stopBackground } from '../../../records/background/state.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { BackgroundProgram } from './background_program.ts'

type ProgramRow = Row<typeof BackgroundProgram>

export async function stop(context: Context, { id }: ProgramRow): Promise<ProgramRow> {
  await stopBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}

export async function resume(context: Context, { id }: ProgramRow): Promise<ProgramRow> {
  await resumeBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}
