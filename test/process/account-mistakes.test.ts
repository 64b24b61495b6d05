import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDirectory } from '../database/engines.ts'
import { command } from '../support/command.ts'
import { prepareShop } from '../support/prepared.ts'
import { environmentOf } from '../support/server.ts'

const USAGE = 'npm run account -- create NAME --owner EMAIL'
/** Refusals that depend on what accounts there are; all others are of the command as it was written. */
const OF_THE_DATA = /is taken|There is no account|cannot be undone/
const OWNER = ['--owner', 'ada@example.com']

describe('account', () => {
  let directory: string
  let remove: () => Promise<void>
  let before: string

  beforeAll(async () => {
    ;({ directory, remove } = await freshDirectory())
    await prepareShop(environmentOf(directory))
    before = (await account('list')).stdout
  })
  afterAll(() => remove())

  const account = (...args: string[]) => command(['account', ...args], environmentOf(directory))

  it.each([
    [['create', ...OWNER], 'The account needs a name: npm run account -- create "Ada’s Books" …'],
    [['create', ' ', ...OWNER], 'The name can\'t be blank, not " ".'],
    [['create', 'Ada'], 'The account needs an owner: add --owner and an e-mail address.'],
    [['create', 'Ada', '--owner'], "--owner needs a value: the owner's e-mail address."],
    [['create', 'Ada', '--owner', '--subdomain', 'ada'], "--owner needs a value: the owner's e-mail address."],
    [['create', 'Ada', '--owner', 'ada'], '--owner is not a valid e-mail address; write it like ada@example.com'],
    [['create', 'Ada', '--owner', '\u212aada@example.com'], '--owner must not contain “\u212a” (U+212A): write “K”'],
    [['create', 'Ada', ...OWNER, '--owner-name', ' '], "--owner-name can't be blank"],
    [['create', 'Ada', ...OWNER, '--subdomain', 'my-shop'], 'The subdomain my-shop is taken by another account.'],
    [['create', 'Ada', ...OWNER, '--subdomain', 'Ada'], '--subdomain must be lower-case letters and digits'],
    [['create', 'Ada', ...OWNER, '--subdomain', 'my--shop'], '--subdomain must be lower-case letters and digits'],
    [['create', 'Ada', ...OWNER, '--mail', 'x'], 'There is no option --mail.'],
    [['create', 'Ada', ...OWNER, '--yes'], 'There is no option --yes.'],
    [['list', 'everything'], USAGE],
    [['list', '--account', 'my-shop'], 'There is no option --account.'],
    [['delete'], USAGE],
    [['delete', 'my-shop', 'other', '--yes'], USAGE],
    [['delete', 'nobodys', '--yes'], 'There is no account with the id or subdomain nobodys; npm run account -- list'],
    [['delete', 'my-shop'], 'Deleting my-shop cannot be undone. Add --yes to confirm.'],
    [['delete', 'my-shop', '--force'], 'There is no option --force.'],
    [['rename', 'my-shop'], USAGE],
    [[], USAGE],
  ])('%j is told: %s', async (args, sentence) => {
    const { code, stdout, stderr } = await account(...args)
    expect({ code, stdout }).toEqual({ code: OF_THE_DATA.test(sentence) ? 1 : 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  it('has changed nothing by all of these', async () => {
    expect(before).toContain('my-shop')
    expect((await account('list')).stdout).toBe(before)
  })
})
