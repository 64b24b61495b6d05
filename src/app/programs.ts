import { findCaller } from '../access/authenticate.ts'
import { INSTRUCTIONS, TOOL_LIST } from '../mcp/endpoint/tool-list.ts'
import type { Mcp } from '../mcp/mcp.ts'
import { confirmRun } from '../pipeline/run-confirmation.ts'
import type { ShopTransaction } from '../resources/tables.ts'
import type { ProgramRunners } from '../services.ts'
import type { Foundation } from './foundation.ts'

/** Creates the functions that run Ruby programs for tasks and the dashboard. `mcp` is resolved late, because it needs these functions. */
export function programRunners({ database }: Foundation, mcp: () => Promise<Mcp>): ProgramRunners {
  return {
    async runProgram({ owner, origin, jobId, approvers }, code, options) {
      const caller = await findCaller(database, { ...owner, approvers })
      const run = { accountId: owner.accountId, run: origin.run, jobId }
      const confirm = (unit: ShopTransaction, kept: 'changes' | 'plan') => confirmRun(unit, run, kept)
      return caller && (await mcp()).execute({ ...caller, origin }, code, { ...options, confirm })
    },
    async searchCatalogue({ owner, origin, approvers }, code, options) {
      const caller = await findCaller(database, { ...owner, approvers })
      return caller && (await mcp()).search({ ...caller, origin }, code, options)
    },
    agentTools: { instructions: INSTRUCTIONS, search: toolOf('code_search'), execute: toolOf('code_execute') },
    programs: {
      search: async (caller, code) => (await mcp()).search(caller, code),
      execute: async (caller, code, options) => (await mcp()).execute(caller, code, options),
      continueBackground: async (job, signal) => (await mcp()).continueBackground(job, signal),
      planAgain: async (caller, planId) => (await mcp()).planAgain(caller, planId),
    },
  }
}

function toolOf(name: string): { name: string; description: string } {
  const tool = TOOL_LIST.find((one) => one.name === name)
  return { name, description: tool?.description ?? '' }
}
