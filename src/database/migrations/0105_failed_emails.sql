-- What the first page counts, so that it reads nothing else.
create index emails_failed on emails (account_id, created_at) where status = 'failed';
