import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { environmentOf } from '../support/server.ts'

describe('token', () => {
  let directory: string
  let remove: () => Promise<void>

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    await prepareShop(environmentOf(directory))
  })
  afterAll(() => remove())

  const token = (...args: string[]) => command(['token', ...args], environmentOf(directory))

  it.each([
    [
      ['create', '--account', 'nobodys'],
      'There is no account with the subdomain nobodys; npm run account -- list shows all accounts.',
    ],
    [
      ['list', '--account', 'nobodys'],
      'There is no account with the subdomain nobodys; npm run account -- list shows all accounts.',
    ],
    [['create', 'Name', '--account'], '--account needs a value: the subdomain of an account.'],
    [['delete', 'token_00000000000000000000000000'], 'There is no token token_00000000000000000000000000;'],
    [['delete', 'My agent'], 'There is no token My agent;'],
    [['delete'], 'npm run token -- create [NAME]'],
    [['list', 'everything'], 'npm run token -- create [NAME]'],
    [['create', '--acount', 'my-shop'], 'There is no option --acount.'],
    [['rotate'], 'npm run token -- create [NAME]'],
    [[], 'npm run token -- create [NAME]'],
  ])('%j is told: %s', async (args, sentence) => {
    const before = (await token('list')).stdout
    const { code, stdout, stderr } = await token(...args)
    expect({ code, stdout }).toEqual({ code: /^There is no (account|token)/.test(sentence) ? 1 : 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect((await token('list')).stdout).toBe(before)
  })
})
