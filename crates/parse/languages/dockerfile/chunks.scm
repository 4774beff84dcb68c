; What else stands between definitions. Comments need no pattern.
;   @item       stays together but defines nothing

(from_instruction) @item
(run_instruction) @item
(cmd_instruction) @item
(label_instruction) @item
(expose_instruction) @item
(add_instruction) @item
(copy_instruction) @item
(entrypoint_instruction) @item
(volume_instruction) @item
(user_instruction) @item
(workdir_instruction) @item
(onbuild_instruction) @item
(stopsignal_instruction) @item
(healthcheck_instruction) @item
(shell_instruction) @item
(maintainer_instruction) @item
(cross_build_instruction) @item
