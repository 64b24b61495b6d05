import { longText, oneOf } from '../../../contract/declarations/kinds.ts'
import { outside } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { NOTE } from '../program-plan/program-plan.ts'
import { applyPlan } from './apply-plan.ts'
import { makePlanAgain } from './make-again.ts'
import { MODES, play } from './play.ts'
import { ProgramAnswer } from './program-answer.ts'

/** The maximum length of a program in characters. The sandbox enforces a lower limit in bytes with its own message. */
const MAX_CODE = 200_000

export const programAnswers = resource(ProgramAnswer, {
  dashboard: [
    outside({
      id: 'apply_program_plan',
      method: 'POST',
      path: '/plans/{id}/apply',
      summary: 'Apply a plan',
      callers: ['session'],
      // The program's own API calls check the storage limit.
      evenWhenFull: true,
      answers: ProgramAnswer,
      body: { note: NOTE },
      rule: applyPlan,
    }),
    outside({
      id: 'remake_program_plan',
      method: 'POST',
      path: '/plans/{id}/again',
      summary: 'Make a plan again',
      rate: 'slow',
      callers: ['session'],
      answers: ProgramAnswer,
      rule: makePlanAgain,
    }),
    outside({
      id: 'play_program',
      method: 'POST',
      path: '/playground',
      summary: 'Run a program',
      rate: 'slow',
      evenWhenFull: true,
      callers: ['session'],
      answers: ProgramAnswer,
      body: {
        code: longText('The program', MAX_CODE, 'get("/account")["name"]').required(),
        mode: oneOf(
          MODES,
          'search: over the catalogue; dry_run: shows what it would change; execute: runs it',
        ).required(),
      },
      rule: play,
    }),
  ],
})
