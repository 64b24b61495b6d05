import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Somebody in front of a browser. */
export interface Somebody {
  name: string
  email: string
  password: string
}

export const OWNER: Somebody = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'correct horse battery staple',
}

/** Follows the link that sets the password of the first owner. */
export async function setPassword(page: Page, link: string, { name, email, password }: Somebody): Promise<void> {
  await page.goto(link)
  await page.fill('#name', name)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.waitForURL(/\/dashboard\//)
}

/** Signs in on the page for that, which a browser may have been led to from another. */
export async function enterPassword(page: Page, { email, password }: Omit<Somebody, 'name'>): Promise<void> {
  await page.fill('#email', email)
  await page.fill('#password', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Goes to the page for signing in, and from there to the dashboard. */
export async function signIn(page: Page, url: string, person = OWNER): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await enterPassword(page, person)
  await page.waitForURL(/\/dashboard\//)
}

/** A page that scripts have fetched takes the place of the one before a moment later. */
export async function says(page: Page, ...parts: string[]): Promise<void> {
  const said = async () => ((await page.textContent('main')) ?? '').replaceAll(/\s+/g, ' ')
  for (const part of parts) await expect.poll(said).toContain(part)
}

/** Opens a group of the dashboard's menu, unless the page that is shown is in it. */
export async function openGroup(page: Page, name: string): Promise<void> {
  const group = page.locator('.nav-group', { has: page.getByText(name, { exact: true }) })
  if ((await group.getAttribute('open')) === null) await group.locator('summary').click()
}
