-- Addresses that name no account find a row by its id alone.
create index if not exists sandbox_posts_by_id_alone on sandbox_posts (id) where length(id) > 0;
create index if not exists social_accounts_by_id_alone on social_accounts (id) where length(id) > 0;
create index if not exists social_authorizations_by_id_alone on social_authorizations (id) where length(id) > 0;
create index if not exists social_deliveries_by_id_alone on social_deliveries (id) where length(id) > 0;
