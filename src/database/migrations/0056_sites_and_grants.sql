-- Earlier versions made no build task of a repository alone, so nothing ever builds these sites.
update sites set build_status = 'failed' where build_task is null and build_status = 'queued';

-- The month for which an account was granted its credits last, such as 2026-01; each month once.
alter table accounts add column credits_month text;
create unique index credit_entries_monthly on credit_entries (account_id, reference) where kind = 'granted';
