import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Caller } from '../../contract/declarations/caller.ts'
import { storable } from '../../contract/declarations/shared-schema.ts'
import type { ToolAnswer } from '../answer.ts'
import type { Handle, Handles } from '../handles/handle.ts'

/** The tasks extension of the protocol: https://modelcontextprotocol.github.io/ext-tasks/specification/2026-07-28/tasks.html */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** The maximum length of a task id in a request. Every real id is shorter. */
const MAX_ID = 200
const ofTask = { params: z.looseObject({ taskId: storable().max(MAX_ID) }) }

interface TaskOptions {
  caller: Caller
  isDeclared: boolean
  /** Converts the final response of the call with this task id into a tool result. */
  shown(answer: ToolAnswer, id: string): Promise<CallToolResult>
}

/** Handles `tasks/get`, `tasks/update` and `tasks/cancel`. Callers can access only their own tasks. */
export function answerTasks(server: Server, handles: Handles, { caller, isDeclared, shown }: TaskOptions): void {
  server.setRequestHandler('tasks/get', ofTask, async ({ taskId }) => {
    requireDeclared(isDeclared)
    return detailed(await find(handles, caller, taskId), shown)
  })
  // An update has no effect, because tasks never request input from the client.
  server.setRequestHandler('tasks/update', ofTask, async ({ taskId }) => {
    requireDeclared(isDeclared)
    await find(handles, caller, taskId)
    return {}
  })
  server.setRequestHandler('tasks/cancel', ofTask, async ({ taskId }) => {
    requireDeclared(isDeclared)
    if (!(await handles.cancelHandle(caller, taskId))) throw unknownTask(taskId)
    return {}
  })
}

/** Returns the task of a call that continues in the background; null if the call has ended. */
export async function handleResult(
  handles: Handles,
  caller: Caller,
  { handle: id }: ToolAnswer,
): Promise<CallToolResult | null> {
  const handle = id === undefined ? null : await handles.findHandle(caller, id)
  if (!handle) return null
  const result: Record<string, unknown> = { resultType: 'task', ...task(handle) }
  // The library's type does not include results of extensions.
  return result as CallToolResult
}

async function find(handles: Handles, caller: Caller, id: string): Promise<Handle> {
  const handle = await handles.findHandle(caller, id)
  if (!handle) throw unknownTask(id)
  return handle
}

function requireDeclared(isDeclared: boolean): void {
  if (!isDeclared) throw undeclaredTasks()
}

/** The error for a client that uses the extension without declaring it. */
export function undeclaredTasks(): MissingRequiredClientCapabilityError {
  return new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } })
}

function unknownTask(id: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `No task ${id} belongs to this token.`)
}

/** The polling interval for clients. A batch takes seconds, and a person takes minutes to decide. */
const POLL_INTERVAL_MS = 5_000

function task({ id, status, message, createdAt, changedAt, forgottenAt }: Handle) {
  return {
    taskId: id,
    status,
    statusMessage: message,
    createdAt,
    lastUpdatedAt: changedAt,
    ttlMs: forgottenAt === null ? null : Date.parse(forgottenAt) - Date.parse(createdAt),
    pollIntervalMs: POLL_INTERVAL_MS,
  }
}

async function detailed(handle: Handle, shown: TaskOptions['shown']) {
  const { id, answer } = handle
  if (!answer) return task(handle)
  return { ...task(handle), result: { resultType: 'complete', ...(await shown(answer, id)) } }
}
