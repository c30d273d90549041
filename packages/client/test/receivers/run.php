<?php
// Runs the example over the cases on stdin and says of each whether it was believed.
require $argv[1];
$told = [];
foreach (json_decode(file_get_contents('php://stdin'), true) as $case) {
    try {
        $told[] = verify($case['headers'], base64_decode($case['body']), $case['secret'])['id'];
    } catch (Throwable) {
        $told[] = null;
    }
}
echo json_encode($told);
