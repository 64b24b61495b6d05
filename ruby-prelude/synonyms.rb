# Common names for things and actions. Each line begins with a word of the catalogue, followed by words that a search may use instead; `_`
# joins consecutive words, and a `?` at the end marks an uncertain synonym.
module Sandbox
  module Synonyms
    # Words that have no meaning in a search, unless a line below gives them one.
    EMPTY = <<~WORDS
      a an the and or but if of to in on at by for from with into onto as than then so that this these those it its i me my we
      us our you your he him his she her they them their somebody someone anybody anyone nobody everyone something anything one
      be am do have can could may might must shall should will would not no nor only just too very more most there here yet ever
      any some both such own same other please want need let lets get put go give take keep use using via per etc hey
      hi now still after before again also really actually currently
    WORDS
    LINES = <<~LINES
      account: shop_profile business_profile shop? store? business? company? merchant settings organization credits_left
      account: credit_balance time_zone? currency? support_address connected_to shop_name store_name shop_currency shop_timezone account_currency account_timezone
      me: user? identity signed_in logged_in log_in_as who_am_i myself my_role role owner my_permission permission my_token
      me: this_token api_key my_key my_right my_access admin? admin_or_owner my_user my_email
      product: thing? digital? digital_product buyable purchasable sellable item goods merchandise ware catalog sell for_sale sale? shelf merch sku course? ebook? book? app? offering reactivate? relist on_sale jacket? shirt?
      product: assortment article? store? shop? draft? storefront listing bestseller? product_page downloadable? collection?
      price_variant: price pricing tier plan option cost charge? stock trial fee expensive inventory instalment installment
      price_variant: monthly? yearly? lifetime annual? how_much_cost license edition one_time pay_what_you_want in_stock
      price_variant: sold_out cheaper? per_month per_year price_tag payment_plan seat? interval? subscription_price price_of_product product_price
      order: purchase sale transaction bought sold revenue receipt earn earning income turnover takings bestseller best_seller who_bought? we_sell? did_we_make revenue sales purchased
      order: sell_best sold_best best_selling we_make we_earn spend? top_seller sales_figures buy? aov gmv order_number sale_report
      order: how_much_money sale_by by_sale spend_most top_customer last_year? payment fail_payment ordered
      order_item: article? position? sold_position line_item line row copies_sold units_sold per_product bestseller? how_many_sell how_many_sold number_sold
      order_item: best_seller? sell_best? sold_best? best_selling? revenue? copy? units order_line quantity? revenue_product
      order_item: by_product sale_by_product report_by_product earn_by_product each_product gross?
      order_item: product_revenue sales_product sell_product sold_product top_product product_sold product_sale which_product?
      refund: money_back reimburse reimbursement give_back return pay_back reverse chargeback repay cash_back compensate money? send_money returned? send_back
      refund: want_back get_back dollar_back euro_back unhappy? undo_payment undo_purchase undo_order take_back_payment
      refund: make_good goodwill broken? damaged? faulty? defective? partial partially
      customer: surname buyer client shopper lead contact? audience person? bought? spend? phone? subscriber? consumer patron from_list? import? visitor?
      customer: who_bought vip? gdpr? personal_data address_book crm profile? mailing_list email_list contact_detail guest?
      customer: recipient? customer_data people? someone_name name_is spent_so_far commenter? forgotten remembered?
      customer: right_to_be_forgotten reseller? wholesaler? record? note? spent_more
      tag: label segment mark? group? categorize flag? untag tagged
      subscription: membership member recurring_plan recurring renew trial? billing? subscriber monthly? dunning standing_order payment? month?
      subscription: churn plan? pay_every every_month? each_month? next_payment auto_renew active_plan active? pay_month
      subscription: pay_every_month subscribe? past_due mrr expire? charge_date next_charge no_charge? plan_end charge?
      subscription: plan_run_out
      pause: hold on_hold put_on_hold suspend freeze frozen? halt interrupt break? skip take_break break_with interruption stop_payment stop_charge stop_bill
      pause: holiday? skip_month no_charge no_payment
      resume: continue unfreeze reactivate unpause take_back restart pick_up carry_on unsuspend not_cancel not_want_to_cancel
      resume: change_mind cancellation? uncancel keep_after_all begin_again charge_again start_again after_break bill_again
      cancel: end terminate quit stop? unsubscribe leave? cancellation give_up kill? call_off? stop_renew not_want_member not_be_member opt_out drop_out
      invoice: bill charge_later due owe overdue receivable unpaid? dunning? bank_transfer outstanding payable pay_later?
      invoice: statement? net_30 ask_money request_payment request_money settle?
      void: cancel? invalid withdraw annul by_mistake? nullify wrong? write_off take_back? cancel_bill cancel_invoice
      checkout: cart basket payment_page payment_session pay? session paying purchase? abandon? abandoned_cart pay_page
      checkout: pay_session cart_discount
      checkout_link: buy_url purchase_directly payment_url purchase_url buy_button payment_link buy_link pay_link sales_link url_sell url_buy
      checkout_link: shop_link share_link shareable order_link link? link_buy link_for link_sell buy_online
      experience: course download? digital_content digital_good access lesson chapter unlock member_area members_area
      experience: members_only module? community curriculum what_buyer_get content? library? training? webinar? video_course
      discount: coupon voucher promo promotion deal rebate percent sale_code reduce? percent_off off? black_friday redeem dollar_off euro_off percent_off
      discount: promotional special_offer price_reduction code? half_price price_off cheaper? bargain reduced save? reward
      discount: loyal? two_for_one valid? free_shipping expiry?
      blog_post: article news? journal entry? story magazine blog write_up essay posts? write?
      blog_category: topic section rubric blog_topic blog_section
      legal_page: policy terms privacy imprint gdpr term terms_and_condition terms_of_service refund_policy return_policy
      legal_page: privacy_policy legal_text legalese disclaimer small_print
      review: testimonial rating feedback star say? opinion praise people_say customer_say buyer_say client_say think_of
      review: write_about say_about recommendation quote? star_rating critic? one_star five_star happy? satisfied satisfaction
      review: complaint? complain?
      position: reorder first? top pin move? sort rearrange ahead high? higher low? lower? above below? rank reposition place?
      position: bottom put_first
      file: upload image? picture? photo? document? asset media clip video? storage pdf? attachment ebook? logo mp4 png jpg zip product_video product_photo product_image
      file: youtube? audio embed brochure flyer bring_in? artwork graphic icon banner
      uploaded: finish? complete arrived sent? upload_complete upload_done finish_upload done?
      email: mail message? write? note letter line? send_to? write_to tell? let_know inform message_to email_customer delay?
      email: apologize? apology? drop_line
      webhook_endpoint: callback webhook notify notification? push? hook server backend zapier? tell? my_server my_url our_url
      webhook_endpoint: call_url call_my_url ping? listener slack send_notification? subscribe? subscribe_event erp crm?
      webhook_endpoint: my_system learn_of hear_about endpoint
      webhook_event: notification delivery delivered arrived? callback_failed webhook_failed payload attempt delivery_log
      webhook_event: receive? history? log? webhook_log erp?
      event: notification? notify? notified
      payload: json body
      limit: allow maximum
      color: green blue red colour yellow
      event_type: trigger happening kind notification? notify? listen notified_about be_notified webhook_type event_name
      event_type: what_notify kind_notification notify_type can_subscribe
      test: ping try_out sample try? dummy check_connection check_endpoint
      x402: crypto stablecoin usdc wallet blockchain bitcoin ethereum cryptocurrency coin chain crypto_payment token?
      map: crawl website? sitemap links? homepage pages? competitor scrape spider all_page url_of? every_page domain? subpage page_of page_website page_site pages_on
      social: instagram tiktok linkedin facebook youtube network? twitter mastodon threads pinterest bluesky social_media
      social_account: connected_social social_network? connected_network channel profile linked login? follower instagram? tiktok? linkedin? facebook? twitter? page? handle
      platform: network? length? how_long long? character_limit which_network social_network supported
      connect: link? log? hook_up add? sign_in? integrate
      disconnect: unlink remove? unhook revoke
      reconnect: log? log_again login_expired repair sign_in_again expired? reauthorize re_authorize authorize relogin
      reconnect: reauthenticate re_authenticate token_expired not_valid longer_valid anew log_in_again login?
      sync: pull fetch latest? fresh pull_in refresh newest up_to_date update_number immediately? get_new? get_comment get_today
      health: wrong connection? working diagnose problem still_work still_post can_post connection_ok healthy why_not_work still_connect connect_properly properly
      health: go_out? nothing? why_not_publish why_not_post cannot_post broken? error? trouble
      analytics: statistic perform impression reach click followers performance figure? how_many_like how_many_view view
      analytics: engagement growth? metric insight do_well how_well how_do go_viral likes_get like_get reach_of count_of?
      analytics: result? success stat stats kpi engagement_rate how_popular popular gain grow
      social_post: tweet caption publication photo? announce announcement share? launch_post post instagram? linkedin? facebook?
      social_post: reel planned_for social_media? compose content_plan tweets blurb? teaser?
      validate: too_long fit would accept try? acceptable allowed valid check? within_limit reject? refuse? cut_off too_many too_much character?
      publish: send? go_live live? immediately send_out right_now go_out? right_away put_out not_wait wait? out_now post_now
      publish: put_live push_live release publish_now tweet_now now?
      schedule: plan? queue later? tomorrow tonight? put_off postpone delay defer push_back go_out? calendar next_week? weekend?
      schedule: morning? evening? reschedule monday? tuesday? wednesday? thursday? friday? saturday? sunday? january? february?
      schedule: march? april? june? july? august? september? october? november? december? date? put_for on_date
      unschedule: queue? planned? planned_time not_send hold_back not_yet do_not_send call_off unqueue do_not_publish
      unschedule: not_publish take_off_calendar stop_post hold_off unplan not_go_out
      retry: again? once once_more resend try? fresh? try_again not_go_through did_not_go once_again second_try failed_again
      retry: give_it_another another_try send_there
      duplicate: reuse clone template copy another_one like_this_one just_like same_as like_last repeat again? recycle
      target: network? outcome channel? which_network every_channel where_fail each_network where_publish where_not
      target: which_account? per_network by_network per_channel arrive? did_arrive
      social_comment: reply remark reaction fan? troll under_post below_post under_tweet under_photo under_picture spam? comment
      social_comment: rude? insult? nasty? people_say? mention commenter under_our offensive? hater?
      reply: respond write_back thank answer comment_back react? tell? sorry apologize get_back_to comment_respond
      like: heart thumb give_heart thumbs_up love like_comment favourite favorite
      unlike: heart thumb remove_heart undo_thumb undo_like take_back_heart
      hide: conceal moderate invisible not_see nobody_see mute cover_up cover? bury censor suppress make_private?
      unhide: reveal visible undo? bring_back show_again see_again unconceal everyone_see unmute uncover unblock
      timeline: daily? over_time chart week? growth develop trend per_week per_day per_month curve graph over_month last_month?
      timeline: evolve
      best_time: hour weekday when? time_of_day best_hour when_post best_moment which_hour when_tweet
      form: question questionnaire survey signup waitlist poll quiz contact_form opt_in newsletter? intake registration_form leave_email visitor_leave collect_lead
      form: lead_form sign_up? waiting_list collect? collect_email rsvp lead_magnet application_form feedback_form apply?
      form: application? apply_for
      form_submission: response? answer? respondent fill fill_out filled fill_in lead? entry answer_in survey_answer
      form_submission: survey_response survey_result entries sign_up wait_list? waiting_list? from_form form_answer form_entry
      form_submission: lead_from from_survey apply applicant application
      archive: close retire shut stop_accept stop_take take_offline offline? shut_down? stop_collect no_more
      restore: reopen unarchive open_again bring_back un_archive accept_again again? take_again
      task: automation automation_run run_on run_when run_automation automate cron job workflow prompt automatic automatically agent? bot assistant daily_report weekly_report summary? every_evening every_hour daily
      task: every_morning every_day every_night each_morning report? recurring_job routine reminder whenever every_time
      task: each_time recurring? nightly daily? weekly? hourly every_hour every_week when_someone? schedule? automatically? by_itself? automation automate remind told_to?
      task: test_automation try_automation test_run dry_run_task
      task: remind_me every_monday every_friday every_sunday program? run_program run_code when_order_paid program_when
      task_run: execution produce result? approve job_fail last_night approval run_result agent_ask assistant_do agent_do did_run last_run ran
      task_run: what_agent_do assistant_done log_of_run ask? wait? yes? history? log? reject decide? plan? outcome? give_go
      task_run: go_ahead agent_go question_of_agent fail_run ran_last approval_wait need_decision decision? await
      event_source: feed rss inbound ingest trigger integration outside_system listen? zapier outside_app other_app another_app
      event_source: external third_party
      discover: available kind? integration outside_system could choose_from which_app possible offer? supported? connectable
      formation: llc incorporate incorporation register? firm found startup company_registration delaware corporation inc c_corp
      formation: set_up_business my_company? business? company? register_business register_company ein? wyoming business_entity
      formation: start_company open_company found_company company_formation accepted? incorporated gmbh? ltd s_corp form_company form_llc
      formation_document: paper certificate letter article_of agreement pdf? download? articles_of_incorporation ein_letter
      formation_document: operating_agreement ein company_paper certificate_of
      submit: file? authority go_ahead file_with hand_in state? hand_over send_off lodge send_to_state send_in papers? paper?
      retry_payment: card decline payment_fail pay_again card_decline pay_fail
      site: website webpage landing_page domain web_page online_presence homepage? web_site web_presence web landing page? launch_page
      create: add make new set_up introduce register build start open? begin import enter? record? offer launch? write? generate bill?
      create: put_up compose draft? prepare put_out? publish? collect? invent design compile subscribe? upload? schedule? post_to subscribe_to
      list: find exist overview search which? show all? every? who? how_many any? everything list_of show_all see upcoming top?
      list: recent latest? collection_of
      show: look_up read single detail check inspect what? when? where? why? how? who? look_at pull_up open? tell_me info
      show: information about? be? see?
      change: edit off? instead update rename correct fix replace rewrite raise set? switch turn_on turn_off modify adjust reactivate? correct_to to_new
      create: upsert
      change: upsert? restock unpublish extend lower amend put_different take_off take_offline stop? different enable disable deactivate
      change: activate typo increase decrease archive_it until? make? hide? optional required move? new? swap allow? untag?
      change: tell? told? improve? adapt revise tweak reword alter remove_field add_field set_to publish? approve? archive? update
      delete: remove down? get_rid erase drop permanently for_good take_down throw_away forget scrap not_need kill discard trash
      delete: tear_down unneeded wipe stop? no_longer? clean_up clear? disappear vanish purge
    LINES
  end
end
