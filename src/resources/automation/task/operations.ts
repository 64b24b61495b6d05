import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { startEventRuns, taskDue } from './jobs.ts'
import { Task } from './task.ts'
import { TRIGGER_CHECKS } from './trigger.ts'
import { createTask, deleteTask, updateTask } from './write.ts'

const { list, create, retrieve, update, remove } = verbs(Task)

export const tasks = resource(Task, {
  jobs: [taskDue, startEventRuns],
  operations: [
    list({
      summary: 'List agent tasks',
      description: 'Includes paused ones. To see what a task did, list its runs: GET /task_runs with ai_task_id.',
      filters: {
        trigger_type: equals(Task, 'trigger_type', 'Only tasks with this trigger type'),
        active: equals(Task, 'active', 'Only active ones, or only paused ones'),
      },
    }),
    create({
      inTurn: true,
      summary: 'Create an agent task',
      description:
        'Automate something: a report each morning, an answer to each order. To try a prompt at once, create a manual task. schedule requires exactly one of cron_expression, interval_seconds (60 or more) and scheduled_at; event requires event_types or an event_source; other types leave these empty. A schedule starts no run while an earlier one is pending or needs input; missed runs are made up once. Events that a run causes do not start its own task. Up to 500 tasks.',
      example: {
        name: 'Morning report',
        prompt: '# ruby\nputs "Orders: #{list("/orders").count}"',
        trigger_type: 'schedule',
        cron_expression: '0 8 * * *',
        timezone: 'Europe/Berlin',
      },
      checks: TRIGGER_CHECKS,
      rule: createTask,
    }),
    retrieve({ summary: 'Show one agent task' }),
    update({
      inTurn: true,
      summary: 'Change, pause or restart an agent task',
      description:
        'A new trigger_type requires its own fields and clears those of the old one; setting one schedule field clears the others. Runs have the rights of the prompt’s author, limited to the rights of anyone else who changes when or how they run. Setting active to true again reruns a manual task.',
      example: { active: false },
      rule: updateTask,
    }),
    remove({
      inTurn: true,
      summary: 'Delete an agent task',
      description: 'Cancels its unfinished runs, unless they have committed changes; the records of its runs are kept.',
      emits: ['ai_task.deleted', 'ai_task_run.canceled'],
      rule: deleteTask,
    }),
  ],
})
