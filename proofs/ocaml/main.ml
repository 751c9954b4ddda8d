(* balpan-verified FILE...: says what elaborated certificates prove. *)

(* Text without control characters. *)
let printable = String.map (fun c -> if c < ' ' || c = '\127' then '?' else c)

let check_file name =
  let file = open_in_bin name in
  let { Certificate.game; position; claim_in_words; verdict; _ } =
    Fun.protect ~finally:(fun () -> close_in file) (fun () -> Certificate.check (fun () -> input_line file))
  in
  if verdict.proved then begin
    Printf.printf "%s: proved, %s: %s\n  in %s\n  by the rules %s\n  by %d claims\n" (printable name) (printable game) claim_in_words position
      (printable (String.concat ", " verdict.rules_in_words)) verdict.claims;
    0
  end
  else begin
    Printf.printf "%s: not proved: %s does not hold\n" name verdict.why;
    1
  end

let () =
  let check name =
    let refuse why = Printf.eprintf "%s: %s\n" (printable name) (printable why); 2 in
    try check_file name with
    | Certificate.Bad why -> refuse ("not a certificate: " ^ why)
    | Sys_error why -> refuse why
    | End_of_file -> refuse "not a certificate: the file ends too early"
    | Stack_overflow -> refuse "not checked: too deep"
    | Out_of_memory -> refuse "not checked: out of memory"
  in
  match List.tl (Array.to_list Sys.argv) with
  | [] -> prerr_endline "usage: balpan-verified FILE..."; exit 2
  | names -> exit (List.fold_left (fun code name -> max code (check name)) 0 names)
