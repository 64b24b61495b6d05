import { isUser } from '../../../contract/declarations/caller.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { AnswerOf } from '../../../contract/declarations/noun.ts'
import type { OutsideContext } from '../../../records/context.ts'
import type { ProgramAnswer } from './program-answer.ts'

export const MODES = ['search', 'dry_run', 'execute'] as const

interface PlayCall {
  input: { code: string; mode: (typeof MODES)[number] }
}

export async function play(
  { caller, services }: OutsideContext,
  { input }: PlayCall,
): Promise<AnswerOf<typeof ProgramAnswer>> {
  if (!isUser(caller)) throw new ApiError('permission_denied', 'Only a person can run programs here.')
  const { code, mode } = input
  const { body, isError } =
    mode === 'search'
      ? await services.programs.search(caller, code)
      : await services.programs.execute(caller, code, { dryRun: mode === 'dry_run' })
  return { failed: isError, answer: body }
}
