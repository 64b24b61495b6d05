import { equals, filterSeveral } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { RUN_EVENTS } from './end.ts'
import { endUnclaimed, planDecided, runLongTask, runTask } from './jobs.ts'
import { TaskRun } from './task-run.ts'
import { updateRun } from './update.ts'

const { list, retrieve, update } = verbs(TaskRun)

export const taskRuns = resource(TaskRun, {
  jobs: [runTask, runLongTask, planDecided, endUnclaimed],
  operations: [
    list({
      summary: 'List runs of agent tasks',
      filters: {
        status: equals(TaskRun, 'status', 'Only runs in this status'),
        ai_task_id: filterSeveral(
          TaskRun.fields.task_id,
          'Only runs of the task of this id; one or several',
          (query, ids) => query.where('task_id', 'in', ids),
        ),
      },
    }),
    retrieve({ summary: 'Show one run' }),
    update({
      summary: 'Answer a waiting run or record its outcome',
      description:
        'An agent claims a pending run with status running; if two try, one gets invalid_state. It ends the run with completed or failed, or asks with needs_input and a question. Then, running with the input answers it, or approves the plan of a supervised run, which is applied with the rights of the prompt’s author, limited to those of its approvers; canceled rejects it. A canceled run changes nothing: once its program has committed changes, canceling is invalid_state. Finished runs cannot change.',
      example: { status: 'running' },
      emits: ['ai_task_run.started', ...RUN_EVENTS],
      rule: updateRun,
    }),
  ],
})
