import { equals, filterSeveral } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { plansWait } from './jobs.ts'
import { NOTE, ProgramPlan } from './program-plan.ts'
import { rejectPlan, showPlans } from './show.ts'

const { list, retrieve, action } = verbs(ProgramPlan)

const state = filterSeveral(
  ProgramPlan.fields.state,
  'Only plans in this state; one or several',
  (query, given, { realNow }) =>
    query.where(({ or, and, eb }) =>
      or(
        given.map((one) => {
          if (one === 'open') return and([eb('state', '=', 'open'), eb('expires_at', '>', realNow)])
          if (one === 'expired') return and([eb('state', '=', 'open'), eb('expires_at', '<=', realNow)])
          return eb('state', '=', one)
        }),
      ),
    ),
)

export const programPlans = resource(ProgramPlan, {
  derive: showPlans,
  jobs: [plansWait],
  dashboard: [
    list({
      summary: 'List plans',
      path: '/plans',
      filters: {
        state,
        proposed: equals(ProgramPlan, 'proposed'),
        caller_id: equals(ProgramPlan, 'caller_id'),
        user_id: equals(ProgramPlan, 'user_id'),
      },
    }),
    retrieve({ summary: 'Show one plan', path: '/plans/{id}' }),
    action('reject', {
      summary: 'Reject a plan',
      path: '/plans/{id}/reject',
      body: { note: NOTE },
      evenWhenFull: true,
      rule: rejectPlan,
    }),
  ],
})
