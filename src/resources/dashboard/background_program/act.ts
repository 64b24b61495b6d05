import { requireBackground, resumeBackground, stopBackground } from '../../../records/background/state.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import { BackgroundProgram, type BackgroundProgramRow } from './background_program.ts'

export async function stop(context: Context, { id }: BackgroundProgramRow): Promise<BackgroundProgramRow> {
  await stopBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}

export async function resume(context: Context, { id }: BackgroundProgramRow): Promise<BackgroundProgramRow> {
  await resumeBackground(context, await requireBackground(context, id))
  return requireRow(context, BackgroundProgram, id)
}
