-- Addresses that name no account find a row by its id alone.
create index if not exists sandbox_posts_by_id on sandbox_posts (id);
create index if not exists social_accounts_by_id on social_accounts (id);
create index if not exists social_authorizations_by_id on social_authorizations (id);
create index if not exists social_deliveries_by_id on social_deliveries (id);
