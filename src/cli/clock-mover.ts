import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from '../app.ts'
import { ADVANCE_LEASE_MS, ClockBusyError, dropRequest, stopAdvance } from '../clock/advance.ts'
import { requestAdvance, requestState } from '../clock/requests.ts'
import { SettingError, type Settings } from '../config.ts'
import { DirectoryInUseError } from '../database/database.ts'
import { openLog } from './log.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'

const POLL_MS = 200
/** Longer than an advance that was lost counts as under way. */
const BUSY_MS = ADVANCE_LEASE_MS + 5_000

/** Moves a clock in this process, or asks the server that has the data directory to do it. The moment that it has reached. */
export async function moveClock(
  terminal: Terminal,
  settings: Settings,
  accountId: string,
  to: string,
): Promise<string> {
  try {
    return await moveHere(terminal, settings, accountId, to)
  } catch (error) {
    if (error instanceof DirectoryInUseError) return moveBeside(terminal, settings, accountId, to)
    throw error
  }
}

async function moveHere(terminal: Terminal, settings: Settings, accountId: string, to: string): Promise<string> {
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const app = await createApp(settings, publicUrl, openLog(settings.LOG_LEVEL))
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= app.close()
    return closing
  }
  terminal.onStop(close)
  try {
    return (await unlessBusy(() => app.advanceClock(accountId, to))).to
  } finally {
    await close()
  }
}

/** What a crash has left under way ends with its lease. */
async function unlessBusy<Result>(move: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + BUSY_MS
  for (;;) {
    try {
      return await move()
    } catch (error) {
      if (!(error instanceof ClockBusyError) || performance.now() > until) throw error
    }
    await delay(POLL_MS)
  }
}

async function moveBeside(terminal: Terminal, settings: Settings, accountId: string, to: string): Promise<string> {
  return withDatabase(settings, async (database) => {
    terminal.onStop(() => stopAdvance(database, accountId))
    await requestAdvance(database, accountId, to)
    const until = performance.now() + BUSY_MS
    for (;;) {
      const { state, shown } = await requestState(database, accountId)
      if (state === 'ended') return shown
      if (state === 'lost')
        throw new SettingError(
          `Lost the connection to the server that was moving the clock, which now shows ${shown}. Run this again.`,
        )
      if (state === 'requested' && performance.now() > until) {
        await dropRequest(database, accountId)
        throw new SettingError(
          'The running server did not move the clock: it is already being moved, or the server is stopping.',
        )
      }
      await delay(POLL_MS)
    }
  })
}
